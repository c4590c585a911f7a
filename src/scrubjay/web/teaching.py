"""The pages of learning and of the audit."""

from __future__ import annotations

from fastapi import APIRouter

router = APIRouter(prefix="/project", include_in_schema=False)

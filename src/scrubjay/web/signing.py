"""The page to sign in with a token, for browsers, which send no header of their own."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from scrubjay.web.bodies import read_form
from scrubjay.web.gate import SESSION_COOKIE, SIGN_IN, is_over_tls
from scrubjay.web.problems import Problem
from scrubjay.web.rendering import render
from scrubjay.web.tokens import SESSION_SECONDS

router = APIRouter(include_in_schema=False)


@router.get(SIGN_IN)
async def show(request: Request) -> Response:
    """Show the form, or go on where no token is asked for."""
    if request.app.state.service.tokens is None:
        return RedirectResponse("/", 303)
    return render(request, "sign_in.html", wrong="")


@router.post(SIGN_IN)
async def sign_in(request: Request) -> Response:
    """Begin a session with the token of the form; shows the form again for a wrong one."""
    token = (await read_form(request)).get("token", "").strip()
    try:
        mark = request.app.state.service.sessions.sign_in(token)
    except Problem as problem:
        expired = problem.code == "token-expired"
        wrong = "This token has expired." if expired else "This is not a token of this service."
        return render(request, "sign_in.html", status=problem.status_code, wrong=wrong)
    response = RedirectResponse("/", 303)
    response.set_cookie(
        SESSION_COOKIE,
        mark,
        max_age=int(SESSION_SECONDS),
        httponly=True,
        samesite="strict",
        secure=is_over_tls(request),
    )
    return response


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session and show the form."""
    request.app.state.service.sessions.sign_out(request.cookies.get(SESSION_COOKIE, ""))
    response = RedirectResponse(SIGN_IN, 303)
    response.delete_cookie(SESSION_COOKIE)
    return response

"""Tests that nothing of a document gets out, and that hostile input does no harm."""

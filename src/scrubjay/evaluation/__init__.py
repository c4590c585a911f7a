"""Predicted spans against gold spans: match, count, score."""

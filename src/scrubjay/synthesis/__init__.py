"""Synthesis: annotated notes written by a grammar of templates."""

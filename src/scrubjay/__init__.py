"""Scrubjay finds protected health information in clinical text and removes or replaces it."""

__version__ = "0.1.0"

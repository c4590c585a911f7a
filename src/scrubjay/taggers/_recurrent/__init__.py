"""Recurrent networks as taggers: their parts, the windows that they read, and their scores."""

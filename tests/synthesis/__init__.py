"""Tests of notes written by a grammar."""

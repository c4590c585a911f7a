"""Data that ships with the package: readable tables, each with its origin beside it."""

"""What is no PHI is let go: by what a mention looks like, and by the text around it.

`acuities` serves `settings`, `grades` serves `results`, and `origins` serves `spells`.
"""

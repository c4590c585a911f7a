"""What is no PHI is let go: by what a mention looks like, and by the text around it.

`origins` serves the entries of `lookalikes`.
"""

"""The steps of mending: one file for each kind of mistake that the text around a mention tells of.

Most steps take each mention for itself, and most of those let go what is no PHI: they are the room
`sparing`. They have two functions: `may_be_...` tells of a mention alone whether the step may
change it, wherever it stands (`mention_looks` asks all of them, once for each mention), and
`is_...` tells by the text around it whether it is what the step is for; the table in
`sparing/steps` says for which languages and labels. `staff_titles`, `day_lists` and `streets`
shorten or part a mention instead. Others take the mentions of a text together; those that find
persons and tell who is who are the room `people`, and `tables` reads those of a table by its
columns. `mending.py` tells their order, and in which languages each is at work; `cues` tells those
that add mentions where to look.
"""

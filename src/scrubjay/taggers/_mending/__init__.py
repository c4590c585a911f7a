"""The steps of mending: one file for each kind of mistake that the text around a mention tells of.

Most steps take each mention for itself, and most of those let go what is no PHI: they are the room
`sparing`. They have two functions: `may_be_...` tells of a mention alone whether the step may
change it, wherever it stands (`mention_looks` asks all of them, once for each mention), and
`is_...` tells by the text around it whether it is what the step is for; the table in
`sparing/steps` says for which languages and labels. `staff_titles`, `day_lists` and `street_areas`
shorten or part a mention instead. Others take the mentions of a text together; those that find
persons and tell who is who are the room `people`:

| file | what it does | in |
|---|---|---|
| `sign_ins` | finds user names and passwords behind their keys | en, nl, es |
| `borders` | moves borders by the characters around them | en |
| `people/glued` | finds names that have lost the blank before them | en |
| `people/persons` | gives one person one label | en |
| `people/bare_surnames` | finds surnames beside verbs, credentials, relatives, beds, ages | en |
| `people/initials` | finds initials of who dictated, typed, measured and signed | en |
| `people/keyed` | finds persons behind keys and titles, and by full names | en, nl, es |
| `people/nicknames` | finds nicknames that are quoted beside a name | en |
| `key_letters` | parts the letter of a key from the name before it | es |

`cues` tells the last of them where to look.
"""

"""The steps of mending: one file for each kind of mistake that the text around a mention tells of.

Most steps take each mention for itself, and most of those let go what is no PHI: they are the room
`sparing`. They have two functions: `may_be_...` tells of a mention alone whether the step may
change it, wherever it stands (`mention_looks` asks all of them, once for each mention), and
`is_...` tells by the text around it whether it is what the step is for; the table in
`sparing/steps` says for which languages and labels. `sex_marks` and `clauses` shorten a mention
instead. Others take the mentions of a text together; those that find persons and tell who is who
are the room `people`:

| file | what it does | in |
|---|---|---|
| `people/rosters` | parts weekdays and the names of a call list behind them | en, nl, es |
| `day_ranges` | finds the first day of a range with the date behind it | en, nl, es |
| `said` | widens dates, ages and telephones in words | es |
| `handles` | finds handles to their end | es |
| `secrets` | finds passwords whole, as numbers | es |
| `sign_ins` | finds user names, passwords and PINs behind their keys | en, nl, es |
| `borders` | moves borders by the characters around them | en |
| `people/glued` | finds names that have lost the blank before them | en |
| `people/persons` | gives one person one label | en |
| `people/talks` | finds names in capitals behind "D/W" | en |
| `people/bare_surnames` | finds surnames beside what only people do | en |
| `irish` | finds Irish codes and numbers of services whole | en |
| `people/signed` | finds initials that are found elsewhere at the ends of lines | en |
| `people/keyed` | finds persons behind keys and titles, and by full names | en, nl, es |
| `people/nicknames` | finds nicknames beside a name and behind what tells of them | en, nl, es |
| `people/age_lists` | finds the names and ages of a list beside one that is found | en, nl |
| `people/scots` | finds names with "Mc" in any case | en |
| `key_letters` | parts the letter of a key from the name before it | es |

`cues` tells the last of them where to look.
"""

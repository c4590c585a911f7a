"""The steps of mending: one file for each kind of mistake that the text around a mention tells of.

Most steps take each mention for itself, and have two functions: `may_be_...` tells of a mention
alone whether the step may change it, wherever it stands (`mention_looks` asks all of them, once for
each mention, and says in which languages each step is taken), and `is_...` tells by the text around
it whether it is what the step is for. Others take the mentions of a text together:

| file | what it does | in |
|---|---|---|
| `rosters` | parts weekdays and the names of a call list behind them | en, nl, es |
| `day_ranges` | finds the first day of a range with the date behind it | en, nl, es |
| `said` | widens dates, ages and telephones in words | es |
| `handles` | finds handles to their end | es |
| `secrets` | finds passwords whole, as numbers | es |
| `sign_ins` | finds user names, passwords and PINs behind their keys | en, nl, es |
| `borders` | moves borders by the characters around them | en |
| `glued` | finds names that have lost the blank before them | en |
| `talks` | finds names in capitals behind "D/W" | en |
| `bare_surnames` | finds surnames beside what only people do | en |
| `named_beside` | finds surnames beside a credential, a relative, a bed, a signature | en |
| `aged_heads` | finds surnames at heads before an age and a sex | en |
| `event_years` | finds years of two digits behind what was done | en |
| `typists` | finds initials of who dictated, typed and measured | en |
| `persons` | gives one person one label | en |
| `signed` | finds initials that are found elsewhere at the ends of lines | en |
| `irish` | finds Irish codes and numbers of services whole | en |
| `keyed` | finds persons behind keys and titles, and by full names | en, nl, es |
| `nicknames` | finds nicknames beside a name and behind what tells of them | en, nl, es |
| `age_lists` | finds the names and ages of a list beside one that is found | en, nl |
| `scots` | finds names with "Mc" in any case | en |
| `key_letters` | parts the letter of a key from the name before it | es |

`person_keys`, `person_names`, `full_names` and `listed_surnames` serve `keyed`, and `cues` tells it
where to look; `acuities` serves `settings`, `grades` serves `results`, `origins` serves `spells`,
and `uncovered` whatever puts names among the spans.
"""

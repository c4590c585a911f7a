"""Persons are found behind keys, titles and verbs, beside one another, and told apart.

`person_keys`, `person_names` and `full_names` serve `keyed` and its neighbours, and `uncovered`
whatever puts names among the spans.
"""

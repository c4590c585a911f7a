"""Search for many patterns: what finds the few places where each regular expression may match.

`matcher` is what others use. `bounded` refuses patterns that could hang, `branches` makes long
choices between words fast, `endings` and `first_signs` tell what a match can end and begin with.
`steps` turns expressions into a machine that matches no less than they do, `automaton` runs many
such machines at once; `starts` walks back with one from the end of a match, and `sieve` (its
tables in `sieve_tables`, its compiled kernel in `sieve_loop`) walks through a whole text.
"""

"""What the columns of a table tell: handovers, rotas, theatre lists, charts that are signed.

`layout` finds tables and their cells, `headings` tells what heads a column and which cells say
nothing, `bodies` puts both together, `missing` and `names` tell what cells of `columns` lack, and
`reading` is the step of mending.
"""

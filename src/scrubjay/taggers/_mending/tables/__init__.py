"""What the columns of a table tell: handovers, rotas, theatre lists, charts that are signed.

`layout` and `commas` find tables and their cells, `headings` tells what heads a column and which
cells say nothing, `bodies` puts both together, `forms` finds keys with their values, `mentions`
cuts what was found at cells and lets go what is nothing there, `missing` and `names` tell what
cells of `columns` lack, and `reading` is the step of mending.
"""

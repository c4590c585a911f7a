"""Experiments: the tables and figures of the papers, repeated on any corpus.

An experiment is declared in one TOML file, whose kind gives its plan (`declaration.py`), and run on
its documents (`data.py`) as cells: one training and its predictions each (`cells.py`), stored as
soon as they are there (`store.py`), so that an interrupted run goes on where it was and reports
need no retraining.
"""

"""Experiments: the tables and figures of the papers, repeated on any corpus.

An experiment is declared in one TOML file (`declaration.py`), read with its corpora into a plan
(`planning.py`), and run as cells: one training and its predictions each, stored as soon as they
are there (`store.py`), so that an interrupted run goes on where it was and reports need no
retraining.
"""

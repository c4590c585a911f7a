"""One set of spans out of those of several members: unions, votes, pools and stacking."""

"""From scores to tags and spans: the chain that every tagger of sequences decodes."""

"""Known identifiers: what is known of each patient beforehand, found in the patient's records."""

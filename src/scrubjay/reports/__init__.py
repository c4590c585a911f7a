"""Reports: pages of tables, pictures and examples, composed as data and rendered apart."""

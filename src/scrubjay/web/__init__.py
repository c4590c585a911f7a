"""The service: detection and de-identification over HTTP, and the pages of the review."""

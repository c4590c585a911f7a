"""Linear models of many features: their weights, laid out for the kernels that sum them."""

"""How good the answers are: a golden set, its judge, scores and a report."""

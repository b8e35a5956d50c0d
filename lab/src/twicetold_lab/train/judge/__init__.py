"""What each shipped model scores by itself: `python -m twicetold_lab.train.judge NAME` writes results/models/NAME.json.

Only held-back parts are judged on. Whole pipelines are judged by the lab, not here.
"""

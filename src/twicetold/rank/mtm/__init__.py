"""MTM: match a claim with an article by the sentences that carry the match (Sheng et al., ACL 2021).

The order of the files is that of the paper's Algorithm 1:

    article   the sentences of an article, without the publisher's own statement of the claim
    rouge     how much of a claim a sentence quotes: what the first layer is taught (ROT)
    memory    how sentences differ from claims in typical ways: the pattern memory bank (PMB)
    keys      the key sentences: near to the claim, or differing from it in a known way
    pieces    sentences to tokens, each word only once
    checking  the words with which fact-checks judge
    chooser   the above ready for use: key sentences and their typical words, no layer
    known     what is known of an article without reading it with the claim
    model     the remaining layers read the key sentences with the claim and score the article (ARP)
    stages    the above as stages: a reranker and an explainer

Teaching these parts is in `twicetold_lab.train.mtm`; nothing here needs torch.
"""

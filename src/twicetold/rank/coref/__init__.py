"""Co-reference: what "she", "it" or "the president" stands for, in prose and in transcripts with speakers."""

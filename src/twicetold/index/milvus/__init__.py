"""The indexes of a collection on a Milvus server instead of in its folder; needs the extra `milvus`."""

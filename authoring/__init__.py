"""For authors of convention files: proofs, examples, comparisons, documents and editor support."""

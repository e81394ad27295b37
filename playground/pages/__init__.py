"""The pages: gallery, editor, scenario, run, docs."""

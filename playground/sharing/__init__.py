"""Links and what hangs on them: the dialog, previews and pictures, embeds, comparisons."""

"""The language server: an editor's requests about convention files, answered while they change."""

"""The language server: what an editor asks about convention files, answered while they change."""

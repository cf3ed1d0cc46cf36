"""Krakatoa's exact odds, by multisets of faces: a set shows one of ten, in whatever order its dice are."""

"""Krakatoa's odds, by multisets of faces: a set shows one of ten, however its dice lie."""

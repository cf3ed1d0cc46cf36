"""Migrations of databases of older versions."""

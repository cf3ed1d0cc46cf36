"""Adapters to other libraries: Gymnasium, PettingZoo and OpenSpiel."""

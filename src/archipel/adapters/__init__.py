"""Archipel's games for those who work with other libraries: PettingZoo and OpenSpiel."""

"""Measurements beside other libraries: `archipel bench` prints them. No time is ever asserted."""

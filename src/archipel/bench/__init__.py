"""Measurements, side by side with others: `archipel bench` prints them. No time is ever asserted."""

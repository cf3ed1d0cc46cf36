"""How the tests run: the same every time, unless HYPOTHESIS_PROFILE=search asks for new examples."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "same",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "search",
    max_examples=2000,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

"""An invitation leads others here, not to their own machines."""

import pytest

from archipel.table.net.addresses import is_loopback, nearby


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "localhost", "tables.localhost", "::1"])
def test_some_addresses_lead_every_machine_to_itself(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["192.168.1.20", "tables.example", "fe80::1", "localhost.example"])
def test_others_lead_to_one_machine(host: str) -> None:
    assert not is_loopback(host)


def test_an_address_in_the_network_is_offered_where_the_server_listens_there() -> None:
    here, there = "http://127.0.0.1:8300/join/x", "192.168.1.20"
    assert nearby(here, "0.0.0.0", there) == "http://192.168.1.20:8300/join/x"
    assert nearby("http://localhost/join/x", "::", there) == "http://192.168.1.20/join/x"
    assert nearby(here, "127.0.0.1", there) == ""
    assert nearby("https://tables.example/join/x", "0.0.0.0", there) == ""
    assert nearby(here, "0.0.0.0", "127.0.0.1") == ""

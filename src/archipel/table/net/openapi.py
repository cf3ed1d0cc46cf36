"""The HTTP API as an OpenAPI document, generated from the routes and the types of their bodies."""

from typing import Any

from msgspec import json

import archipel

from .. import protocol
from .app import ROUTES, Served

_JSON = "application/json"


def document() -> dict[str, Any]:
    """Every route with its parameters, body and response."""
    kinds = [kind for route in ROUTES for kind in (route.takes, route.gives) if kind]
    _, schemas = protocol.schemas([*kinds, protocol.Problem], "#/components/schemas/{name}")
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Archipel's table", "version": archipel.__version__},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(route: Served) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "responses": {
            "2XX": {"description": "Done."} | _content(route.gives),
            "4XX": {"description": "Refused; nothing has changed."} | _content(protocol.Problem),
            "503": {"description": "Not now."} | _content(protocol.Problem),
        },
    }
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.takes:
        operation["requestBody"] = {"required": True} | _content(route.takes)
    return operation


def _parameters(route: Served) -> list[dict[str, Any]]:
    """The table in the path, and the query parameters."""
    table = {"name": "table", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
    query = ({"name": name, "in": "query", "schema": {"type": "string"}} for name in route.asks)
    return [*([table] if "{table}" in route.path else []), *query]


def _content(kind: Any) -> dict[str, Any]:
    if kind is None:
        return {}
    return {"content": {_JSON: {"schema": {"$ref": f"#/components/schemas/{kind.__name__}"}}}}


def written() -> str:
    """The text of `docs/openapi.json`."""
    return json.format(json.encode(document(), order="sorted"), indent=1).decode() + "\n"


if __name__ == "__main__":
    print(written(), end="")

#!/bin/sh
# What the tests need beside Python: a real browser, a real PostgreSQL, a real Redis. Debian's packages where absent.
set -eu
missing=""
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || [ -n "${CHROMIUM:-}" ] || missing="$missing chromium"
command -v postgres >/dev/null || ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$missing postgresql"
command -v redis-server >/dev/null || missing="$missing redis-server"
[ -z "$missing" ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	echo "Installing$missing, which the tests need."
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
	echo "The tests need these programs; install them first (Debian: apt-get install$missing):$missing." >&2
	exit 1
fi

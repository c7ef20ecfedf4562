#!/bin/sh
# Binnacle @VERSION@ with Node.js @NODE@ for @PLATFORM@. The first start unpacks what follows this script into the user's cache; it runs from there.
set -eu
fail() {
  echo "binnacle: $1" >&2
  exit 1
}
if [ -n "${BINNACLE_UNPACK:-}" ]; then cache=$BINNACLE_UNPACK
elif [ -n "${XDG_CACHE_HOME:-}" ]; then cache=$XDG_CACHE_HOME/binnacle
elif [ -z "${HOME:-}" ]; then fail 'HOME is not set: BINNACLE_UNPACK names a folder to unpack into'
elif [ "$(uname -s)" = Darwin ]; then cache=$HOME/Library/Caches/binnacle
else cache=$HOME/.cache/binnacle
fi
app=$cache/@NAME@
if [ ! -d "$app" ]; then
  [ "$(uname -sm)" = '@UNAME@' ] || fail "this file is for @UNAME@, and the machine is $(uname -sm)"
  umask 077
  mkdir -p "$cache" || fail "cannot unpack into $cache: BINNACLE_UNPACK names another folder"
  part=$(mktemp -d "$cache/part.XXXXXX") || fail "cannot unpack into $cache: BINNACLE_UNPACK names another folder"
  trap 'rm -rf "$part"' EXIT
  trap 'exit 1' HUP INT TERM
  tail -c +@OFFSET@ "$0" | tar xzf - -C "$part" || fail "cannot unpack into $cache: no space is left there, or this file is not whole"
  # of several first starts at once, one wins; the name appears when all is there
  "$part/node" -e 'require("fs").renameSync(process.argv[1], process.argv[2])' "$part" "$app" 2> /dev/null || [ -d "$app" ] ||
    fail "cannot run what is in $cache: BINNACLE_UNPACK names a folder from which programs may be run"
  trap - EXIT HUP INT TERM
  rm -rf "$part"
fi
# whoever can write there could have this run something else
[ -O "$app" ] 2> /dev/null || fail "$app belongs to another user: BINNACLE_UNPACK names another folder"
exec "$app/node" @FLAGS@ "$app/binnacle/dist/cli/main.js" "$@"

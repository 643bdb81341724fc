#!/bin/sh
# Starts the Keyplane provider: a program for Node.js, which lies beside this file. Terraform shows the first line of its
# standard output when it does not come up, so troubles are told there.
self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
if ! command -v node >/dev/null; then
  echo "The Keyplane provider needs Node.js 20.19 or newer, and there is no node on the PATH. Install it from https://nodejs.org"
  exit 1
fi
exec node "${self%/*}/provider.cjs" "$@"

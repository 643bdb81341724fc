#!/bin/sh
# Starts the Keyplane provider, the Node.js program in this folder. When a provider does not start, Terraform shows the first
# line of its standard output, so problems are reported there.
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

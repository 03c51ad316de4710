#!/bin/sh
# Plays all parts of a plan on this machine, several at once, and puts them together.
#
#     adit shard plan --of 64 -o plan.json simulate tunnels --games 1000000
#     contrib/shards/xargs.sh plan.json 4
#
# Parts that are there already are not played again, so it can be stopped and started anew.
set -eu
plan=$1
at_once=${2:-2}
parts=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["parts"])' "$plan")
name=${plan%.json}
seq 0 $((parts - 1)) |
    while read -r part; do [ -e "$name.$part.part" ] || echo "$part"; done |
    xargs -n 1 -P "$at_once" adit shard run --jobs 1 "$plan"
exec adit shard merge "$plan" "$name".*.part

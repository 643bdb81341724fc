#!/usr/bin/env bash
# Keys as people script them: for each name, look for the key, create it if there is none, and update it if it differs.
set -euo pipefail
call() { curl -sf -H "Authorization: Bearer $TOKEN" -H "New-Api-User: $USER_ID" -H 'Content-Type: application/json' "$@"; }
while read -r name; do
  body=$(jq -n --arg name "$name" '{ name: $name, group: "default", expired_time: -1, remain_quota: 5000000, unlimited_quota: false,
    model_limits_enabled: true, model_limits: "alpha-chat-1,text-embedding-3-small", allow_ips: "10.0.0.0/8" }')
  found=$(call "$URL/api/token/search?keyword=$name" | jq -c --arg name "$name" '[.data | (.items? // .)[] | select(.name == $name)][0] // empty')
  if [[ -z $found ]]; then
    call -X POST -d "$body" "$URL/api/token/" | jq -e .success >/dev/null
  elif ! jq -e --argjson want "$body" '. as $is | $want | to_entries | all(.value == $is[.key])' <<<"$found" >/dev/null; then
    call -X PUT -d "$(jq --argjson want "$body" '. + $want' <<<"$found")" "$URL/api/token/" | jq -e .success >/dev/null
  fi
done

# By its ID. By its name: `name=prod-checkout`.
import {
  to = keyplane_api_key.checkout
  id = "17"
}

# Many keys, by their names.
import {
  for_each = toset(["search", "billing"])
  to       = keyplane_api_key.teams[each.key]
  id       = "name=prod-${each.key}"
}

resource "keyplane_api_key" "teams" {
  for_each = toset(["search", "billing"])
  name     = "prod-${each.key}"
  budget   = { usd = 25, per = "month" }
}

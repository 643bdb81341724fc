resource "keyplane_api_key" "checkout" {
  name   = "prod-checkout"
  budget = { usd = 25 }
}

# By its id: by its name it would be looked for before it is made.
ephemeral "keyplane_api_key_secret" "checkout" {
  id = keyplane_api_key.checkout.id
}

# Reaches what takes ephemeral values, such as write-only arguments, and is stored nowhere. Ids are never used twice, so that
# the id serves as the version of a write-only argument.
locals {
  checkout_secret  = ephemeral.keyplane_api_key_secret.checkout.secret
  checkout_version = keyplane_api_key.checkout.id
}

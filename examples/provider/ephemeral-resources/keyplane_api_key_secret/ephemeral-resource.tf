resource "keyplane_api_key" "checkout" {
  name   = "prod-checkout"
  budget = { usd = 25, per = "lifetime" }
}

# By its ID: with the name, Terraform would look for the key before it creates it.
ephemeral "keyplane_api_key_secret" "checkout" {
  id = keyplane_api_key.checkout.id
}

# Pass it wherever ephemeral values are allowed, such as to write-only arguments: it is never stored. IDs are never reused, so
# the ID can serve as the version of a write-only argument.
locals {
  checkout_secret  = ephemeral.keyplane_api_key_secret.checkout.secret
  checkout_version = keyplane_api_key.checkout.id
}

ephemeral "keyplane_api_key_secret" "checkout" {
  name = "prod-checkout"
}

# Reaches what takes ephemeral values, such as write-only arguments, and is stored nowhere.
locals {
  checkout_secret = ephemeral.keyplane_api_key_secret.checkout.secret
}

data "keyplane_api_key" "checkout" {
  name = "prod-checkout"
}

data "keyplane_models" "checkout" {
  key_id = data.keyplane_api_key.checkout.id
}

output "models" {
  value = data.keyplane_models.checkout.models
}

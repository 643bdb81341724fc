data "keyplane_api_key" "checkout" {
  name = "prod-checkout"
}

output "remaining_quota" {
  value = data.keyplane_api_key.checkout.remaining_quota
}

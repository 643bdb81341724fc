data "keyplane_api_keys" "off" {
  name   = "prod-*"
  status = "exhausted"
}

output "out_of_budget" {
  value = data.keyplane_api_keys.off.keys[*].name
}

# `terraform query` shows them; with -generate-config-out it writes their configuration and import blocks.
list "keyplane_api_key" "prod" {
  provider = keyplane

  config {
    name = "prod-*"
  }
}

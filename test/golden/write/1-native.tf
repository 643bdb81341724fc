# gateway.accessTokenFile is omitted: set KEYPLANE_ACCESS_TOKEN instead
# ownership.scope prod-*, 日本 is omitted: the state of Terraform determines which keys it owns
# ownership.prune disable is omitted: Terraform deletes keys that are no longer declared
# ownership.protect nobody-* is omitted: no declared key matches it
# prod-checkout: checks free is omitted: Terraform selects single checks, not kinds or classes
# prod-checkout: checks pong: schedule cheap is omitted: Terraform runs checks at each plan and apply, whatever they cost
# checks idle is omitted: no key selects it
# Not declared here: "日本": models: Terraform would change its Unicode form

terraform {
  required_providers {
    keyplane = { source = "keyplane/keyplane" }
  }
}

provider "keyplane" {
  url             = "https://gateway.example.com"
  user_id         = 42
  gateway_profile = "deployed"
}

resource "keyplane_api_key" "prod_batch" {
  # renamedFrom batch is omitted: Terraform identifies a key by its ID: import the key under its former name, and Terraform renames it
  # rotate.overlapBudget is omitted: in Terraform, a former key may spend what the budget leaves
  name       = "prod-batch"
  enabled    = true
  models     = ["any"]
  allow_ips  = ["anywhere"]
  expires_at = "2020-03-31T00:00:00Z"

  rotation {
    every   = "90d"
    overlap = "7d"
  }
}

resource "keyplane_api_key" "prod_checkout" {
  name                = "prod-checkout"
  enabled             = true
  models              = ["alpha-chat-1", "echo \"$${x}\""]
  expires_at          = "never"
  budget              = { usd = 0.100000000000000001, per = "month" }
  smart_routing_tiers = jsonencode({ __proto__ = "%%{x}", "a b" = [1, null] })

  lifecycle {
    prevent_destroy = true
  }
}

data "keyplane_check" "prod_checkout_pong" {
  key_id  = keyplane_api_key.prod_checkout.id
  module  = "chat"
  request = jsonencode({ max_tokens = 5 })
  timeout = "30s"

  expect {
    contains     = ["pong"]
    max_cost_usd = 0.1
  }
}

check "prod_checkout_pong" {
  assert {
    condition     = data.keyplane_check.prod_checkout_pong.passed
    error_message = data.keyplane_check.prod_checkout_pong.message
  }
}

data "keyplane_check" "prod_checkout_model_list" {
  key_id = keyplane_api_key.prod_checkout.id
  module = "model-list"
}

check "prod_checkout_model_list" {
  assert {
    condition     = data.keyplane_check.prod_checkout_model_list.passed
    error_message = data.keyplane_check.prod_checkout_model_list.message
  }
}

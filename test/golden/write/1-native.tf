# gateway.accessTokenFile is left out: give the access token in KEYPLANE_ACCESS_TOKEN
# ownership.scope prod-*, 日本 is left out: the state of Terraform says which keys are its own
# ownership.prune disable is left out: Terraform deletes what is no longer declared
# ownership.protect nobody-* is left out: no declared key has such a name
# prod-checkout: checks free is left out: Terraform takes checks one by one, no kinds and no classes
# prod-checkout: checks pong: schedule cheap is left out: Terraform proves at each plan and apply whatever it costs
# checks idle is left out: no key is proven by it here
# Not declared here: "日本": models: a model that is called "any" would mean any model

terraform {
  required_providers {
    keyplane = { source = "keyplane/keyplane" }
  }
}

provider "keyplane" {
  url     = "https://gateway.example.com"
  user_id = 42
}

resource "keyplane_api_key" "prod_batch" {
  # renamedFrom batch is left out: Terraform knows a key by its id: import the key by its former name, and it is renamed
  # rotate is left out: Terraform has no word for it, and it does not act yet
  name       = "prod-batch"
  models     = ["any"]
  allow_ips  = ["anywhere"]
  expires_at = "2020-03-31T00:00:00Z"
}

resource "keyplane_api_key" "prod_checkout" {
  name                = "prod-checkout"
  models              = ["alpha-chat-1", "say \"$${x}\""]
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
  expect  = { contains = ["pong"], max_cost_usd = 0.1 }
  timeout = "30s"
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

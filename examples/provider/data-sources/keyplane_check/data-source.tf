data "keyplane_api_key" "checkout" {
  name = "prod-checkout"
}

data "keyplane_check" "chat" {
  key_id       = data.keyplane_api_key.checkout.id
  module       = "chat"
  model        = "alpha-chat-1"
  max_cost_usd = 0.01
}

check "checkout_can_chat" {
  assert {
    condition     = data.keyplane_check.chat.passed
    error_message = data.keyplane_check.chat.message
  }
}

resource "keyplane_api_key" "checkout" {
  name   = "prod-checkout"
  budget = { usd = 25, per = "lifetime" }

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.keyplane_check.chat]
    }
  }
}

action "keyplane_check" "chat" {
  config {
    key_id = keyplane_api_key.checkout.id
    module = "chat"
    model  = "alpha-chat-1"
  }
}

resource "keyplane_api_key" "checkout" {
  name       = "prod-checkout"
  group      = "default"
  models     = ["alpha-chat-1", "text-embedding-3-small"]
  allow_ips  = ["10.0.0.0/8", "203.0.113.7"]
  expires_at = "2027-12-31T00:00:00Z"
  budget     = { usd = 25, per = "month" }
}

# Omitted attributes are not managed. Only a budget is required of a new key.
resource "keyplane_api_key" "experiments" {
  name   = "experiments"
  budget = { usd = 5, per = "lifetime" }
}

# Replaced by a new key each time a value changes: the new one is created, and passed on, before the former one is disabled.
resource "keyplane_api_key" "mailer" {
  name_prefix         = "prod-mailer-"
  budget              = { usd = 25, per = "month" }
  rotate_when_changed = { generation = 3 }
  on_destroy          = "disable"

  lifecycle {
    create_before_destroy = true
  }
}

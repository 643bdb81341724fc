data "keyplane_account" "me" {}

output "wallet_usd" {
  value = provider::keyplane::quota_to_usd(data.keyplane_account.me.wallet_quota, data.keyplane_account.me.quota_per_unit)
}

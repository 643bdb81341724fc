data "keyplane_usage" "march" {
  since = "2027-03-01T00:00:00Z"
}

output "spent_by_key" {
  value = { for spender in data.keyplane_usage.march.keys : spender.name => spender.spent_usd }
}

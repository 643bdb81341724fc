output "units" {
  value = provider::keyplane::usd_to_quota(25.5)
}

# With a rate other than the default.
output "units_at_a_rate" {
  value = provider::keyplane::usd_to_quota(25.5, 1000000)
}

output "units" {
  value = provider::keyplane::usd_to_quota(25.5)
}

# At another rate than the usual one.
output "units_at_a_rate" {
  value = provider::keyplane::usd_to_quota(25.5, 1000000)
}

output "dollars" {
  value = provider::keyplane::quota_to_usd(12750000)
}

# ["10.0.0.0/8", "203.0.113.7/32"]
output "rules" {
  value = provider::keyplane::parse_ip_rules(["203.0.113.7", "10.0.0.0/8", "203.0.113.7"])
}

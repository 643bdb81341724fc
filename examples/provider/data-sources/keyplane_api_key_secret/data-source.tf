# Only where there are no ephemeral resources: the credential is stored in the state.
data "keyplane_api_key_secret" "checkout" {
  name = "prod-checkout"
}

terraform {
  required_providers {
    keyplane = {
      source = "keyplane/keyplane"
    }
  }
}

# The access token comes from KEYPLANE_ACCESS_TOKEN.
provider "keyplane" {
  url     = "https://gateway.example.com"
  user_id = 42
}

# By its id.
terraform import keyplane_api_key.checkout 17

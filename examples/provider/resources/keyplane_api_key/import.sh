# By its ID.
terraform import keyplane_api_key.checkout 17

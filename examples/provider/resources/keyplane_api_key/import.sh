# By its ID.
terraform import keyplane_api_key.checkout 17

# By its name.
terraform import keyplane_api_key.checkout name=prod-checkout

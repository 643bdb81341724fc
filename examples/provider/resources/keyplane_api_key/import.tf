import {
  to = keyplane_api_key.checkout
  id = "17"
}

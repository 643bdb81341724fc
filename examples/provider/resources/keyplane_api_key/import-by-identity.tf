import {
  to = keyplane_api_key.experiments
  identity = {
    id = 18
  }
}

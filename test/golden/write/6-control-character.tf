terraform {
  required_providers {
    keyplane = { source = "keyplane/keyplane" }
  }
}

provider "keyplane" {
  url     = "https://gateway.example.com"
  user_id = 42
}

resource "keyplane_api_key" "app" {
  name                = "app"
  enabled             = true
  smart_routing_tiers = "{\"id\":\"A short name does not move its sentence. A short name does not move its sentence. A short name does not move its sentence. A short name does not move its sentence.\",\"no identifier\":{\"__proto__\":1,\"it's\":\"a\\tb\\u0007\",\"none\":{}},\"numbers\":[0,1111,2222,3333,4444,5555,6666,7777,8888,9999,11110,12221,13332,14443,15554,16665,17776,18887,19998,21109,22220,23331,24442,25553,26664,27775,28886,29997,31108,32219,33330,34441,35552,36663,37774,38885,39996,41107,42218,43329],\"rows\":[{\"id\":1,\"models\":[\"a\"]},{\"id\":2,\"models\":[]}],\"sentence\":\"A sentence that is longer than a line. A sentence that is longer than a line. A sentence that is longer than a line. A sentence that is longer than a line.\",\"texts\":[\"text 0 long long long long long long long long end\",\"text 1 long long long long long long long long end\",\"text 2 long long long long long long long long end\",\"text 3 long long long long long long long long end\"]}"
}

data "keyplane_check" "app_drawing" {
  key_id  = keyplane_api_key.app.id
  module  = "image"
  model   = "alpha-image-1"
  family  = "alpha"
  request = jsonencode({ n = 1 })
  costly  = true
  retries = 2
}

check "app_drawing" {
  assert {
    condition     = data.keyplane_check.app_drawing.passed
    error_message = data.keyplane_check.app_drawing.message
  }
}

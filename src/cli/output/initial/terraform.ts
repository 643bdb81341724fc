import { accountOf, commandOf, completed, type NextStep, type Project, type ProjectInput } from './project.ts';

const stepsOf = (input: ProjectInput): readonly NextStep[] => [
  { command: `${commandOf(input)} provider install`, about: 'Keyplane includes the provider' },
  { command: 'terraform init' },
  { command: 'terraform plan' },
];

const head = ({ url, userId }: ReturnType<typeof accountOf>): string => `terraform {
  required_providers {
    keyplane = { source = "keyplane/keyplane" }
  }
}

provider "keyplane" {
  url     = ${JSON.stringify(url)}
  user_id = ${userId}
}
`;

const keys = (expires: string): string => `resource "keyplane_api_key" "checkout" {
  name       = "prod-checkout"
  models     = ["alpha-chat-1"]
  allow_ips  = ["127.0.0.1/32", "10.0.0.0/8"]
  expires_at = "${expires}"
  budget     = { usd = 25, per = "month" }

  lifecycle {
    prevent_destroy = true
  }
}

resource "keyplane_api_key" "search" {
  name       = "prod-search"
  models     = ["text-embedding-3-small"]
  allow_ips  = ["127.0.0.1/32", "10.0.0.0/8"]
  expires_at = "${expires}"
  budget     = { usd = 10, per = "lifetime" }
}
`;

const CHECK = `data "keyplane_check" "checkout" {
  key_id = keyplane_api_key.checkout.id
  module = "chat"
  model  = "alpha-chat-1"

  expect {
    max_latency_ms = 10000
  }
}

check "checkout_answers" {
  assert {
    condition     = data.keyplane_check.checkout.passed
    error_message = data.keyplane_check.checkout.message
  }
}
`;

/** A configuration of Terraform with two keys and a check. */
export function terraformProject(input: ProjectInput): Project {
  const files = {
    'main.tf': [head(accountOf(input)), keys(input.expires), CHECK].join('\n'),
    '.gitignore': '.terraform/\nterraform.d/plugins/\n*.tfstate\n*.tfstate.*\n*.tfplan\n',
  };
  return completed({ title: 'The keys of an LLM gateway, with Terraform.', files, steps: stepsOf(input) }, input);
}

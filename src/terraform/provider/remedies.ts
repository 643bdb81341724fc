import type { Advice, Remedy } from '../../domain/index.ts';

/** The remedies in terms of a Terraform configuration; those without one are omitted. */
export const REMEDY_TEXTS = {
  'set-credentials': 'Set `access_token` and `user_id`, or KEYPLANE_ACCESS_TOKEN and KEYPLANE_USER_ID.',
  'trust-authority': 'Name its file with `ca_file`, or KEYPLANE_CA_FILE.',
  'check-proxy': 'HTTPS_PROXY and HTTP_PROXY set the proxy; hosts in NO_PROXY bypass it.',
  'allow-more-time': '`timeout` allows more time.',
  'lower-concurrency': 'A lower `max_concurrency` sends fewer requests at a time.',
  'read-more-usage': 'Or raise `max_log_pages`.',
  'run-checks': '`keyplane check --costly` checks the keys of a manifest.',
  'raise-cost-cap': '`max_cost_usd` sets the limit.',
  'use-second-address': '`keyplane check` can ask from a second address, with --source-address or --vantage-proxy.',
  'name-model': 'Name one with `model`.',
  'name-task-ledger': 'Name another file with `ledger`.',
  'resubmit-task': 'Then take its lines out of the ledger, and it is submitted again.',
} as const satisfies Partial<Record<Remedy, string>>;

const textOf = (remedy: Remedy): string | undefined =>
  remedy in REMEDY_TEXTS ? REMEDY_TEXTS[remedy as keyof typeof REMEDY_TEXTS] : undefined;

/** A hint in the terms of Terraform; undefined when there is nothing to advise. */
export function hintOf({ hint, remedy }: Advice): string | undefined {
  const parts = [hint, remedy && textOf(remedy)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

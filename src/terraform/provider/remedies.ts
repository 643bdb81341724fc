import type { Advice, Remedy } from '../../domain/index.ts';

/** The remedies in terms of a Terraform configuration; those without one are omitted. */
export const REMEDY_TEXTS = {
  'set-credentials': 'Set `access_token` and `user_id`, or KEYPLANE_ACCESS_TOKEN and KEYPLANE_USER_ID.',
  'trust-authority': 'Set `ca_file` or KEYPLANE_CA_FILE to its PEM file.',
  'choose-profile': 'To choose another profile, set `gateway_profile` or KEYPLANE_GATEWAY_PROFILE.',
  'check-proxy': 'HTTPS_PROXY and HTTP_PROXY set the proxy; hosts in NO_PROXY bypass it.',
  'allow-more-time': 'To allow more time, raise `timeout`.',
  'lower-concurrency':
    'To wait longer for limits, raise `max_wait`; to send fewer requests at a time, lower `max_concurrency`.',
  'read-more-usage': 'Or raise `max_log_pages`.',
  'install-image-decoder': '`keyplane check --costly` checks the keys of a manifest, and can examine images.',
  'run-checks': '`keyplane check --costly` checks the keys of a manifest.',
  'raise-cost-cap': 'To raise the limit, use `max_cost_usd`.',
  'use-second-address':
    '`keyplane check` can send requests from a second address, with --source-address or --vantage-proxy.',
  'name-model': 'Set `model`.',
  'name-task-ledger': 'Choose another file with `ledger`.',
  'resubmit-task': 'To submit it again, remove its lines from the ledger.',
} as const satisfies Partial<Record<Remedy, string>>;

const textOf = (remedy: Remedy): string | undefined =>
  remedy in REMEDY_TEXTS ? REMEDY_TEXTS[remedy as keyof typeof REMEDY_TEXTS] : undefined;

/** A hint in the terms of Terraform; undefined when there is nothing to advise. */
export function hintOf({ hint, remedy }: Advice): string | undefined {
  const parts = [hint, remedy && textOf(remedy)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

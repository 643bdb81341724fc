import type { Advice, Remedy } from '../../domain/index.ts';

/** Each remedy in the terms of the command line. */
const REMEDY_TEXTS: Readonly<Record<Remedy, string>> = {
  'set-credentials': 'Set KEYPLANE_ACCESS_TOKEN and KEYPLANE_USER_ID.',
  'supply-token': 'Give the system access token in KEYPLANE_ACCESS_TOKEN or `gateway.accessTokenFile`.',
  'trust-authority': 'Name its file with --ca-file or KEYPLANE_CA_FILE.',
  'check-proxy': 'HTTPS_PROXY and HTTP_PROXY set the proxy; hosts in NO_PROXY bypass it.',
  'allow-more-time': '--timeout allows more time.',
  'lower-concurrency': 'A lower --concurrency sends fewer requests at a time.',
  'read-more-usage': 'Or raise --max-log-pages, or keep sums between runs with --usage-cache FILE.',
  'allow-unknown-groups': '--allow-unknown-groups allows it for one run.',
  'allow-unknown-models': '--allow-unknown-models allows it for one run.',
  'list-fields': '`keyplane schema` lists what a manifest may hold.',
  'create-manifest': '`keyplane init` writes a first manifest.',
  'import-keys': '`keyplane import` writes the live keys as a manifest.',
  'save-plan': '`keyplane plan --out FILE` saves a plan.',
  'inspect-keys': '`keyplane keys get ID` shows a key, and `keyplane keys delete ID` deletes it.',
  'apply-manifest': '`keyplane apply` applies the manifest.',
  'run-checks': '`keyplane check` proves the keys that a manifest declares.',
  'raise-cost-cap': '--max-cost sets the limit.',
  'ask-for-costly-checks': 'Ask for it by its name, or with --costly.',
  'use-second-address': 'Give a second address with --source-address or --vantage-proxy.',
  'name-model': 'Name one with `model` in a definition of the check.',
  'name-task-ledger': 'Name another file with --ledger.',
  'resubmit-task': 'Then --resubmit submits it again, for one run.',
};

/** A hint for people at the command line; undefined when there is nothing to advise. */
export function hintOf({ hint, remedy }: Advice): string | undefined {
  const parts = [hint, remedy && REMEDY_TEXTS[remedy]].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The same with the hint worded for the command line, as reports show it. */
export function withWordedHint<T extends Advice>({ remedy, ...rest }: T): Omit<T, 'remedy'> {
  const hint = hintOf({ hint: rest.hint, remedy });
  return hint === undefined ? rest : { ...rest, hint };
}

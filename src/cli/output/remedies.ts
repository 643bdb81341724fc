import type { Advice, CheckReport, PlanNote, Remedy } from '../../domain/index.ts';
import type { Guidance } from './guidance.ts';

/** Each remedy in the terms of the command line. */
export const REMEDY_TEXTS: Readonly<Record<Remedy, string>> = {
  'set-credentials': 'Set KEYPLANE_ACCESS_TOKEN and KEYPLANE_USER_ID.',
  'supply-token': 'Set KEYPLANE_ACCESS_TOKEN, or set `gateway.accessTokenFile` in the manifest.',
  'trust-authority': 'Set --ca-file or KEYPLANE_CA_FILE to its PEM file.',
  'choose-profile': 'To choose another profile, pass --gateway-profile, or set `gateway.profile` in the manifest.',
  'check-proxy': 'HTTPS_PROXY and HTTP_PROXY set the proxy; hosts in NO_PROXY bypass it.',
  'allow-more-time': 'To allow more time, raise --timeout.',
  'lower-concurrency': 'To send fewer requests at a time, lower --concurrency.',
  'read-more-usage': 'Or raise --max-log-pages, or keep sums between runs with --usage-cache FILE.',
  'allow-unknown-groups': 'To allow it for one run, pass --allow-unknown-groups.',
  'allow-unknown-models': 'To allow it for one run, pass --allow-unknown-models.',
  'name-token-file': 'For a file elsewhere, set KEYPLANE_ACCESS_TOKEN_FILE.',
  'name-profile-file': 'For a file elsewhere, pass --gateway-profile or set KEYPLANE_GATEWAY_PROFILE.',
  'allow-variable': 'To allow it, pass --env NAME, or list it in KEYPLANE_MANIFEST_ENV.',
  'list-fields': '`keyplane schema` prints all valid fields.',
  'create-manifest': '`keyplane init` creates a first manifest.',
  'import-keys': '`keyplane import` writes the existing keys as a manifest.',
  'save-plan': '`keyplane plan --out FILE` saves a plan.',
  'apply-plan-alone': '`keyplane apply PLAN --plan-only` applies the plan without a manifest.',
  'inspect-keys': '`keyplane keys get ID` shows a key, and `keyplane keys delete ID` deletes it.',
  'remove-duplicates': '`keyplane keys dedupe` shows keys with one name, and removes the unused ones.',
  'disable-keys': '`keyplane keys disable ID` disables a key immediately.',
  'inspect-locks': '`keyplane lock list` shows who holds it, and `keyplane lock break` removes it.',
  'apply-manifest': '`keyplane apply` applies the manifest.',
  'allow-exec': 'To allow it for one run, pass --allow-exec.',
  'allow-sink': 'To allow it, list that address in KEYPLANE_ALLOWED_SINKS.',
  'prune-anyway': 'To prune keys all the same, pass --prune-anyway.',
  'install-image-decoder':
    'Run `npm install sharp` where Keyplane is installed. A run without these checks does not need it.',
  'run-checks': '`keyplane check` runs the checks of a manifest.',
  'raise-cost-cap': 'To raise the limit, use --max-cost.',
  'ask-for-costly-checks': 'Name the check on the command line, or pass --costly.',
  'use-second-address': 'Pass a second address with --source-address or --vantage-proxy.',
  'name-model': 'Set `model` in the definition of the check.',
  'name-task-ledger': 'Choose another file with --ledger.',
  'resubmit-task': 'To submit it again, pass --resubmit once.',
};

/** The words of a front end for remedies. */
export type RemedyTexts = Readonly<Partial<Record<Remedy, string>>>;

/** A hint for people, by default at the command line; undefined when there is nothing to advise. */
export function hintOf({ hint, remedy }: Advice, texts: RemedyTexts = REMEDY_TEXTS): string | undefined {
  const parts = [hint, remedy && texts[remedy]].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The same with the hint worded, as reports show it: by default for the command line. */
export function withWordedHint<T extends Advice>(
  { remedy, ...rest }: T,
  texts: RemedyTexts = REMEDY_TEXTS,
): Omit<T, 'remedy'> {
  const hint = hintOf({ hint: rest.hint, remedy }, texts);
  return hint === undefined ? rest : { ...rest, hint };
}

/** A report of checks with the hints of its results worded, by default for the command line. */
export const wordedChecks = (report: CheckReport, texts: RemedyTexts = REMEDY_TEXTS): CheckReport => ({
  ...report,
  results: report.results.map((result) => withWordedHint(result, texts)),
});

/** The text of a note for people. */
export function wordedNote({ code, message }: PlanNote, { notes }: Guidance): string {
  const remedy = notes[code];
  return remedy === undefined ? message : `${message}. ${remedy}`;
}

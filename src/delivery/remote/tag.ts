import type { SinkMetadata } from '../../reconcile/index.ts';

/**
 * The facts about a secret in one line, for a sink that has one field of text for them:
 * `managed-by=keyplane fingerprint=v1.… key=prod-checkout owner=team-checkout labels={"env":"prod"}`.
 * The end may be cut off: the first two are all that is read again.
 */
export function renderTag(fingerprint: string, { key, owner, labels = {} }: SinkMetadata): string {
  const facts = {
    'managed-by': 'keyplane',
    fingerprint,
    key,
    owner,
    labels: Object.keys(labels).length === 0 ? undefined : JSON.stringify(labels),
  };
  return Object.entries(facts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(' ');
}

const valueIn = (name: string, text: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(text)?.[1];

export const tagManager = (text: string): string | undefined => valueIn('managed-by', text);
export const tagFingerprint = (text: string): string | undefined => valueIn('fingerprint', text);
export const tagUpdate = (text: string): string | undefined => valueIn('updated', text);

import { createHash } from 'node:crypto';
import {
  audienceOf,
  canonicalJson,
  type DesiredState,
  type Edit,
  type Json,
  type Plan,
  pendingDeliveries,
  renderDecimal,
  type Snapshot,
} from '../../domain/index.ts';
import type { Manifest } from '../read.ts';
import { encodeDesired } from './desired.ts';
import { encodePolicy } from './policy.ts';

/** The SHA-256 of JSON data, `sha256:…`: independent of its layout and of the order of its fields. */
export const digestOf = (data: unknown): string =>
  `sha256:${createHash('sha256').update(canonicalJson(data)).digest('hex')}`;

/** The part of a desired state that changes a key. */
const withoutMetadata = ({ keys, ownership }: DesiredState): DesiredState => ({
  keys: keys.map(({ metadata: _metadata, ...key }) => key),
  ownership,
});

/**
 * The digest of a resolved manifest: its keys with their defaults, its ownership and its checks. The layout of the files,
 * the order of keys and of selected checks, the metadata, and what this version does not act on do not matter.
 */
export function manifestDigest({ desired, checks, selections }: Manifest): string {
  const data = {
    desired: encodeDesired(withoutMetadata(desired)),
    // The machine that applies has the same files in another folder.
    checks: checks.map(({ place: _place, folder: _folder, ...check }) => check),
    selections: Object.fromEntries([...selections].map(([name, words]) => [name, [...new Set(words)].sort()])),
  };
  // Without the members that are undefined.
  return digestOf(JSON.parse(JSON.stringify(data)));
}

/** A live key as reviewed, without the parts that spending moves. */
const steady = ({ remain: _remain, used: _used, status, ...rest }: Snapshot): Json => ({
  ...rest,
  disabled: status === 'disabled',
});

const editData = ({ field, before, after }: Edit): Json => (field === 'remain' ? { field } : { field, before, after });

/**
 * The digest of everything that applying a plan can do: its account, manifest, policies and changes. Amounts that
 * follow from the policies, and the time, do not matter: the same review has the same digest the next day.
 */
export function planDigest({
  account,
  manifest,
  only,
  owners,
  labels,
  assumesLogComplete,
  quotaPerUnit,
  changes,
  deliveries,
  policies,
}: Plan): string {
  return digestOf({
    account,
    manifest: manifest?.digest,
    only,
    owners,
    labels,
    assumesLogComplete,
    quotaPerUnit: renderDecimal(quotaPerUnit),
    policies: policies.map(({ name, id, before, after }) => ({
      name,
      id,
      before: encodePolicy(before),
      after: encodePolicy(after),
    })),
    ...(deliveries && {
      deliveries: pendingDeliveries({ deliveries }).map((delivery) => {
        const { action, name, sink } = delivery;
        const audience = audienceOf(delivery)?.now;
        return { action, name, sink, ...(audience === undefined ? {} : { audience }) };
      }),
    }),
    changes: changes.map(({ place: _place, metadata: _metadata, ...change }) => ({
      ...change,
      // A quarantine that begins tomorrow ends a day later.
      ...('quarantine' in change ? { quarantine: undefined } : {}),
      ...('before' in change ? { before: steady(change.before) } : {}),
      ...('edits' in change ? { edits: change.edits.map(editData) } : {}),
    })),
  });
}

import * as z from 'zod';
import { account, amount, fault, instant, keyId, keyStatus, metadata, place } from './values.ts';

const setting = z.union([z.string(), z.boolean(), z.array(z.string()), z.null()]);

/** A key as machines read it. A field that the gateway does not have is null. */
export const key = z
  .object({
    id: keyId,
    name: z.string(),
    group: z.string(),
    crossGroupRetry: z.boolean(),
    models: z.array(z.string()).nullable().describe('null: every model.'),
    allowIps: z.array(z.string()).nullable().describe('null: every address.'),
    expires: instant.nullable(),
    unlimited: z.boolean(),
    remaining: amount,
    smartRouting: z.boolean(),
    smartRouteTiers: setting,
    // As requests find it: a key whose expiry is over is `expired`.
    status: keyStatus,
    storedStatus: keyStatus,
    used: amount.nullable(),
    created: instant.nullable(),
    lastUsed: z.string().nullable().describe('An instant, `never`, or null where it is unknown.'),
    masked: z.string(),
    odd: z.unknown().optional().describe('What the record holds that no key should have.'),
  })
  .meta({ id: 'Key' });

/** A key of `keys list`. */
const listedKey = key.extend({ managed: z.boolean(), owner: z.string().nullable() }).meta({ id: 'ListedKey' });

/** The outcome of one key that a command was given. */
const keyOutcome = z
  .object({
    state: z.enum(['applied', 'failed', 'indeterminate', 'left-enabled', 'skipped', 'unchanged']),
    change: z.object({
      verb: z.enum(['enable', 'disable', 'delete', 'rename']),
      name: z.string(),
      id: keyId,
      from: z.string().optional(),
    }),
    reason: z.string().optional(),
    fault: fault.optional(),
  })
  .meta({ id: 'KeyOutcome' });

const declaration = z.object({ name: z.string(), state: z.string(), message: z.string(), place: place.optional() });

const outcomes = z.object({ outcomes: z.array(keyOutcome) });
/** `data` of keys disable, and the first step of keys revoke. */
export const disabledKeys = outcomes.extend({ declarations: z.array(declaration) });

const duplicate = z.object({
  name: z.string(),
  undecided: z.enum(['none-used', 'several-used', 'used-disabled', 'unknown-use']).nullable(),
  keys: z.array(
    z.object({ key, isUsed: z.boolean().nullable(), lastUsed: instant.nullable(), isRemoved: z.boolean() }),
  ),
});

export const KEY_KINDS = {
  'keys-list': z.object({ keys: z.array(listedKey) }),
  'keys-get': key,
  'keys-reveal': z.object({ keys: z.array(z.object({ id: keyId, name: z.string(), secret: z.string() })) }),
  'keys-enable': outcomes,
  'keys-disable': disabledKeys,
  'keys-delete': outcomes,
  'keys-rename': outcomes,
  'keys-dedupe': z.object({ duplicates: z.array(duplicate) }),
  'keys-identify': z.union([
    z.object({ key: z.null() }),
    z.object({
      key: z.object({ id: keyId, name: z.string(), liveName: z.string(), status: keyStatus }),
      metadata,
      sinks: z.array(z.unknown()),
      disabled: z.boolean(),
    }),
  ]),
  'account-show': z.object({
    ...account.shape,
    username: z.string().optional(),
    group: z.string().optional(),
    wallet: amount,
    quotaPerUnit: z.string(),
  }),
  'account-groups': z.object({
    groups: z.array(
      z.object({
        name: z.string(),
        ratio: z.union([z.string(), z.number()]).optional(),
        description: z.string().optional(),
      }),
    ),
  }),
  'account-models': z.object({ models: z.array(z.string()) }),
  'account-rotate-token': z.object({ file: z.string() }),
} as const;

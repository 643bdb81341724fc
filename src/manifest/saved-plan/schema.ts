import { z } from 'zod';
import {
  type Decimal,
  type KeyName,
  keyId,
  nameProblem,
  PLAN_NOTES,
  quota,
  RETAIN_REASONS,
  tryParseDecimal,
} from '../../domain/index.ts';

/** The version of the saved plan's form; a plan of another version is refused. */
export const SAVED_PLAN_VERSION = 1;

const id = z.int().positive().transform(keyId);
const units = z.int().transform(quota);
const seconds = z.int();
const texts = z.array(z.string()).nullable();

const name = z.string().transform((text, context): KeyName => {
  const problem = nameProblem(text);
  if (problem) context.addIssue({ code: 'custom', message: `not a key name: ${problem}` });
  return text as KeyName;
});

const rate = z.string().transform((text, context): Decimal => {
  const decimal = tryParseDecimal(text);
  if (decimal && decimal.digits > 0n) return decimal;
  context.addIssue({ code: 'custom', message: 'not a decimal number above 0' });
  return z.NEVER;
});

const settings = {
  name: z.string(),
  group: z.string(),
  crossGroupRetry: z.boolean(),
  models: texts,
  allowIps: texts,
  expires: seconds.nullable(),
  unlimited: z.boolean(),
  remain: units,
  smartRouting: z.boolean(),
  smartRouteTiers: z.string(),
};

export type SettingName = keyof typeof settings;
export const SETTING_NAMES = Object.keys(settings) as readonly SettingName[];

const editOf = <F extends SettingName>(field: F) =>
  z.strictObject({ field: z.literal(field), before: settings[field], after: settings[field] });

const edit = z.discriminatedUnion('field', [
  editOf('name'),
  editOf('group'),
  editOf('crossGroupRetry'),
  editOf('models'),
  editOf('allowIps'),
  editOf('expires'),
  editOf('unlimited'),
  editOf('remain'),
  editOf('smartRouting'),
  editOf('smartRouteTiers'),
]);

const place = z.strictObject({
  file: z.string(),
  line: z.int().positive(),
  column: z.int().positive(),
  endLine: z.int().positive().optional(),
  endColumn: z.int().positive().optional(),
  construct: z.string().optional(),
});

const snapshot = z.strictObject({
  ...settings,
  id,
  status: z.enum(['enabled', 'disabled', 'expired', 'exhausted']),
  used: units.optional(),
});

const onLiveKey = { name: z.string(), id, place: place.optional() };
const edits = z.tuple([edit], edit);
const statusReason = z.enum(['declared', 'pruned', 'repaired']);

const change = z.discriminatedUnion('verb', [
  z.strictObject({
    verb: z.literal('create'),
    name,
    settings: z.strictObject(settings),
    enabled: z.boolean(),
    place: place.optional(),
  }),
  z.strictObject({ verb: z.literal('rename'), ...onLiveKey, from: z.string(), edits, before: snapshot }),
  z.strictObject({ verb: z.literal('update'), ...onLiveKey, edits, before: snapshot }),
  z.strictObject({ verb: z.literal('enable'), ...onLiveKey, before: snapshot, reason: statusReason }),
  z.strictObject({ verb: z.literal('disable'), ...onLiveKey, before: snapshot, reason: statusReason }),
  z.strictObject({
    verb: z.literal('delete'),
    ...onLiveKey,
    before: snapshot,
    reason: z.enum(['pruned', 'destroyed']),
  }),
  z.strictObject({ verb: z.literal('keep'), ...onLiveKey }),
  z.strictObject({
    verb: z.literal('retain'),
    ...onLiveKey,
    reason: z.enum(RETAIN_REASONS),
  }),
]);

/** A saved plan, strictly: a field that is not known could mean something that this Keyplane would not do. */
export const SavedPlan = z.strictObject({
  kind: z.literal('saved-plan'),
  version: z.literal(SAVED_PLAN_VERSION),
  account: z.strictObject({ url: z.string().min(1), userId: z.int().positive() }),
  at: seconds,
  quotaPerUnit: rate,
  changes: z.array(change),
  notes: z.array(
    z.strictObject({
      code: z.enum(Object.keys(PLAN_NOTES) as (keyof typeof PLAN_NOTES)[]),
      name: z.string().optional(),
      message: z.string(),
    }),
  ),
  invisible: z.int().min(0),
  owned: z.int().min(0),
  fingerprint: z.string().min(1),
  checksum: z.string(),
});

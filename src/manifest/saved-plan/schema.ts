import * as z from 'zod';
import {
  DELETE_REASONS,
  DELIVERY_REASONS,
  type Decimal,
  DISABLE_REASONS,
  type Edit,
  ENABLE_REASONS,
  FAULTS,
  type FaultCode,
  HOLD_REASONS,
  type KeyName,
  type KeySettings,
  keyId,
  PLAN_NOTES,
  quota,
  RETAIN_REASONS,
  SETTING_NAMES,
  SETTINGS,
  type SettingKind,
  type SettingName,
  type SettingValues,
  SINK_KINDS,
  tryParseDecimal,
} from '../../domain/index.ts';

import { DesiredForm, KeyNameForm, MetadataForm } from './desired.ts';
import { KeyPolicyForm } from './policy.ts';

/** The version of the form of a saved plan. Other versions are rejected: version 1 held amounts without policies. */
export const SAVED_PLAN_VERSION = 2;

const id = z.lazy(() => z.int().positive().transform(keyId));
const units = z.lazy(() => z.int().transform(quota));
const seconds = z.lazy(() => z.int());
const texts = z.lazy(() => z.array(z.string()).nullable());

const rate = z.lazy(() =>
  z.string().transform((text, context): Decimal => {
    const decimal = tryParseDecimal(text);
    if (decimal && decimal.digits > 0n) return decimal;
    context.addIssue({ code: 'custom', message: 'not a decimal number above 0' });
    return z.NEVER;
  }),
);

/** The form of each kind of setting: what a live key may hold. */
const KINDS: { readonly [K in SettingKind]: () => z.ZodType<SettingValues[K]> } = {
  flag: () => z.boolean(),
  text: () => z.string(),
  textSet: () => texts,
  ipSet: () => texts,
  instant: () => seconds.nullable(),
  quota: () => units,
  json: () => z.string(),
};

const formOf = (setting: SettingName) => KINDS[SETTINGS[setting].kind]();

type SettingForms = { readonly [S in SettingName]: z.ZodType<KeySettings[S]> };

const settings = () => Object.fromEntries(SETTING_NAMES.map((setting) => [setting, formOf(setting)])) as SettingForms;

const editOf = (field: SettingName) =>
  z.strictObject({ field: z.literal(field), before: formOf(field), after: formOf(field) });

/** An edit of any setting: the value has the kind of its setting. */
const edit = z.lazy(() => {
  const [first, ...others] = SETTING_NAMES.map(editOf);
  return z
    .discriminatedUnion('field', [first as ReturnType<typeof editOf>, ...others])
    .meta({ id: 'Edit' }) as z.ZodType as z.ZodType<Edit>;
});

const place = z.lazy(() =>
  z
    .strictObject({
      file: z.string(),
      line: z.int().positive(),
      column: z.int().positive(),
      endLine: z.int().positive().exactOptional(),
      endColumn: z.int().positive().exactOptional(),
      construct: z.string().exactOptional(),
    })
    .meta({ id: 'SavedPlace' }),
);

const snapshot = z.lazy(() =>
  z
    .strictObject({
      ...settings(),
      id,
      status: z.enum(['enabled', 'disabled', 'expired', 'exhausted']),
      used: units.exactOptional(),
    })
    .meta({ id: 'Snapshot' }),
);

const about = () => ({
  place: place.exactOptional(),
  metadata: MetadataForm.exactOptional(),
  of: z.custom<KeyName>((value) => typeof value === 'string').exactOptional(),
});
const onLiveKey = () => ({ name: z.string(), id, ...about() });
/** The quarantine that the reason of a change is about. */
const quarantine = z.lazy(() => z.strictObject({ since: seconds.exactOptional(), until: seconds }).exactOptional());
const edits = z.lazy(() => z.tuple([edit], edit));

const change = z.lazy(() =>
  z.discriminatedUnion('verb', [
    z.strictObject({
      verb: z.literal('create'),
      name: KeyNameForm,
      settings: z.strictObject(settings()),
      enabled: z.boolean(),
      ...about(),
    }),
    z.strictObject({ verb: z.literal('rename'), ...onLiveKey(), from: z.string(), edits, before: snapshot }),
    z.strictObject({ verb: z.literal('update'), ...onLiveKey(), edits, before: snapshot }),
    z.strictObject({ verb: z.literal('enable'), ...onLiveKey(), before: snapshot, reason: z.enum(ENABLE_REASONS) }),
    z.strictObject({ verb: z.literal('hold'), ...onLiveKey(), before: snapshot, reason: z.enum(HOLD_REASONS) }),
    z.strictObject({
      verb: z.literal('disable'),
      ...onLiveKey(),
      before: snapshot,
      reason: z.enum(DISABLE_REASONS),
      quarantine,
    }),
    z.strictObject({
      verb: z.literal('delete'),
      ...onLiveKey(),
      before: snapshot,
      reason: z.enum(DELETE_REASONS),
      quarantine,
    }),
    z.strictObject({ verb: z.literal('keep'), ...onLiveKey() }),
    z.strictObject({
      verb: z.literal('retain'),
      ...onLiveKey(),
      reason: z.enum(RETAIN_REASONS),
      quarantine,
    }),
  ]),
);

const ofSink = { name: z.string(), sink: z.string(), kind: z.enum(SINK_KINDS), place: place.exactOptional() };
const code = z.lazy(() => z.custom<FaultCode>((value) => typeof value === 'string' && Object.hasOwn(FAULTS, value)));

const audience = z.strictObject({ now: z.array(z.string()), before: z.array(z.string()).exactOptional() });

const delivery = z.lazy(() =>
  z.discriminatedUnion('action', [
    z.strictObject({
      ...ofSink,
      action: z.literal('write'),
      reason: z.enum(DELIVERY_REASONS),
      audience: audience.exactOptional(),
    }),
    z.strictObject({ ...ofSink, action: z.literal('remove') }),
    z.strictObject({ ...ofSink, action: z.literal('blocked'), code, why: z.string() }),
    z.strictObject({ ...ofSink, action: z.literal('withheld'), why: z.string() }),
  ]),
);

/** A saved plan. Strict: an unknown field could mean something that this version would not do. */
export const PlanForm = z.lazy(() =>
  z.strictObject({
    kind: z.literal('saved-plan'),
    version: z.literal(SAVED_PLAN_VERSION),
    account: z.strictObject({ url: z.string().min(1), userId: z.int().positive() }),
    at: seconds,
    quotaPerUnit: rate,
    changes: z.array(change),
    notes: z.array(
      z.strictObject({
        code: z.enum(Object.keys(PLAN_NOTES) as (keyof typeof PLAN_NOTES)[]),
        name: z.string().exactOptional(),
        message: z.string(),
      }),
    ),
    deliveries: z.array(delivery).exactOptional(),
    policies: z.array(KeyPolicyForm),
    wallet: units.exactOptional(),
    only: z.array(z.string()).exactOptional(),
    owners: z.array(z.string()).exactOptional(),
    labels: z.array(z.strictObject({ name: z.string(), value: z.string().exactOptional() })).exactOptional(),
    assumesLogComplete: z.literal(true).exactOptional(),
    manifest: z.strictObject({ digest: z.string(), commit: z.string().exactOptional() }).exactOptional(),
    desired: DesiredForm.exactOptional(),
    invisible: z.int().min(0),
    owned: z.int().min(0),
    fingerprint: z.string().min(1),
    checksum: z.string(),
  }),
);

import * as z from 'zod';
import {
  type DeclaredKind,
  type DeclaredSink,
  type DeclaredValues,
  type DesiredKey,
  type DesiredState,
  FIELD_ROWS,
  type IpRule,
  type Json,
  type KeyMetadata,
  type KeyName,
  keyId,
  METADATA_TEXT_NAMES,
  nameProblem,
  parseIpRule,
  type Rotation,
} from '../../domain/index.ts';
import { encodeGuardrails, GuardrailsForm } from './guardrails.ts';
import { AmountForm, BudgetForm, encodeAmount, encodePolicy } from './policy.ts';

/** A sink without its folder: the machine that applies has the same files in another one. */
const encodeSink = ({ folder: _folder, place: _place, target, ...options }: DeclaredSink): Json => ({
  ...options,
  target: JSON.parse(JSON.stringify(target)),
});

function encodeKey({ budget, rotate, place: _place, origin: _origin, metadata, deliver, ...rest }: DesiredKey): Json {
  return {
    ...rest,
    ...(budget === undefined ? {} : { budget: encodePolicy(budget) }),
    ...(rotate === undefined ? {} : { rotate: encodeRotation(rotate) }),
    ...(deliver === undefined ? {} : { deliver: deliver.map(encodeSink) }),
    ...(metadata ? { metadata: { ...metadata } } : {}),
  };
}

const encodeRotation = ({ overlapBudget, ...rest }: Rotation): Json => ({
  ...rest,
  ...(overlapBudget === undefined ? {} : { overlapBudget: encodeAmount(overlapBudget) }),
});

const length = z.lazy(() => z.int().positive());

const RotationForm: z.ZodType<Rotation> = z.lazy(() =>
  z.strictObject({
    every: length,
    overlap: length,
    quiet: length.exactOptional(),
    overlapBudget: AmountForm.exactOptional(),
  }),
);

const byName = (a: DesiredKey, b: DesiredKey): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** The resolved keys and the ownership as JSON data, without places: the same for every layout of a manifest. */
export function encodeDesired({ keys, ownership, owners, policies }: DesiredState): Readonly<Record<string, Json>> {
  const { scope, prune, quarantine, protect } = ownership;
  return {
    ...(policies ? { policies: policies.map(encodeGuardrails) } : {}),
    ...(owners ? { owners: owners.map((rule) => ({ ...rule })) } : {}),
    keys: [...keys].sort(byName).map(encodeKey),
    ownership: {
      ...(scope ? { scope: [...scope].sort() } : {}),
      prune,
      ...(quarantine === undefined ? {} : { quarantine }),
      protect: [...protect].sort(),
    },
  };
}

/** The form of a declared name. */
export const KeyNameForm = z.lazy(() =>
  z.string().transform((text, context): KeyName => {
    const problem = nameProblem(text);
    if (problem) context.addIssue({ code: 'custom', message: `not a key name: ${problem}` });
    return text as KeyName;
  }),
);

const anyName = z.lazy(() => z.custom<KeyName>((value) => typeof value === 'string'));

const ipRule = z.lazy(() =>
  z.string().transform((text, context): IpRule => {
    const result = parseIpRule(text);
    if (result.ok) return result.rule;
    context.addIssue({ code: 'custom', message: 'not a canonical IP rule' });
    return z.NEVER;
  }),
);

const KINDS: { readonly [K in DeclaredKind]: () => z.ZodType<DeclaredValues[K]> } = {
  flag: () => z.boolean(),
  text: () => z.string(),
  textSet: () => z.array(z.string()).nullable(),
  ipSet: () => z.array(ipRule).nullable(),
  instant: () => z.int().nullable(),
  budget: () => BudgetForm,
  json: () => z.string(),
};

const fields = () => Object.fromEntries(FIELD_ROWS.map(([field, row]) => [field, KINDS[row.kind]().exactOptional()]));

/** The form of the metadata of a key. */
export const MetadataForm: z.ZodType<KeyMetadata> = z.lazy(() =>
  z.strictObject({
    ...Object.fromEntries(METADATA_TEXT_NAMES.map((field) => [field, z.string().exactOptional()])),
    labels: z.record(z.string(), z.string()).exactOptional(),
  }),
);

/** The form of the desired state in a saved plan. */
export const DesiredForm = z.lazy(() =>
  z.strictObject({
    keys: z.array(
      z
        .strictObject({
          ...fields(),
          // An adopted key may have a name that a new key may not.
          name: anyName,
          id: z.int().positive().transform(keyId).exactOptional(),
          renamedFrom: z.union([anyName, z.int().positive().transform(keyId)]).exactOptional(),
          metadata: MetadataForm.exactOptional(),
          rotate: RotationForm.exactOptional(),
          // Sinks are relative to the folder of the manifest, without which nothing is delivered.
          deliver: z.array(z.unknown()).exactOptional(),
        })
        .transform(({ deliver: _deliver, ...key }) => key) as z.ZodType<DesiredKey>,
    ),
    ownership: z.strictObject({
      scope: z.array(z.string()).exactOptional(),
      prune: z.enum(['never', 'disable', 'delete']),
      quarantine: length.exactOptional(),
      protect: z.array(z.string()),
    }),
    policies: z.array(GuardrailsForm).exactOptional(),
    owners: z
      .array(z.strictObject({ owner: z.string(), keys: z.array(z.string()), notify: z.array(z.string()) }))
      .exactOptional(),
  }),
);

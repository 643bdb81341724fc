import {
  type DesiredKey,
  type Json,
  KEY_FIELDS,
  type Rotation,
  renderInstant,
  TERRAFORM_NAMES,
} from '../../../domain/index.ts';
import { type FieldCodec, writeFields, writeLimit } from '../fields.ts';
import { rotationParts } from '../rotation.ts';
import { type BlockMember, type BlockValue, flag, json, number, object, text, texts } from './block.ts';

const CODEC: FieldCodec<BlockValue> = {
  kinds: {
    flag,
    text,
    textSet: texts,
    ipSet: texts,
    instant: (at) => text(renderInstant(at)),
    budget: (budget) =>
      budget.kind === 'unlimited'
        ? object(['unlimited', flag(true)])
        : writeLimit(budget, { usd: number, quota: number, text, flag, object, statesLifetime: true }),
    json: (value) => (value === '' ? text('') : json(JSON.parse(value) as Json)),
  },
  word: (word, { kind }) => (kind === 'instant' ? text(word) : texts([word])),
};

/** Returns the attributes of a key. */
export const keyMembers = (desired: DesiredKey): readonly BlockMember[] => [
  ['name', text(desired.name)],
  ...writeFields(desired, CODEC).map(([field, value]): BlockMember => [KEY_FIELDS[field].terraform, value]),
];

/** Returns the attributes of the block `rotation`. */
export const rotationMembers = (rotation: Rotation): readonly BlockMember[] =>
  rotationParts(rotation).map(([name, duration]): BlockMember => [name, text(duration)]);

/** Returns the name of the attribute, or the name in the manifest for what Terraform does not have. */
export const terraformName = (field: string): string =>
  Object.hasOwn(TERRAFORM_NAMES, field) ? TERRAFORM_NAMES[field as keyof typeof TERRAFORM_NAMES] : field;

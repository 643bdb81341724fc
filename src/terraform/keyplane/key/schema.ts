import { declaredNameProblem, FIELD_ROWS, type FieldRow, looksLikeCredential } from '../../../domain/index.ts';
import { isUnknown, type TerraformObject, type TerraformValue } from '../../codec/value.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';
import type { Attribute, AttributeTable, IdentitySchema, Schema } from '../../provider/schema.ts';
import { prefixErrors } from './names/generated-name.ts';
import { destroyErrors } from './plan/on-destroy.ts';
import { isRotating, ROTATION } from './rotation/block.ts';
import { TIMEOUTS } from './timeouts.ts';
import { decodeConfigured, noteOf, shapeOf } from './values/codec.ts';
import { fieldErrors } from './values/field-errors.ts';

const both = 'optional or computed';

function nameErrors(value: TerraformValue): readonly DiagnosticContent[] {
  const name = String(value);
  if (looksLikeCredential(name)) {
    const detail = 'Names are shown everywhere. If this is a credential, revoke it.';
    return [{ summary: 'The name looks like a credential', detail }];
  }
  const problem = declaredNameProblem(name);
  return problem ? [{ summary: 'Invalid key name', detail: `${JSON.stringify(name)}: ${problem}.` }] : [];
}

function errorsOf(row: FieldRow, value: TerraformValue): readonly DiagnosticContent[] {
  const parsed = decodeConfigured(row, value);
  return parsed ? fieldErrors(parsed, row) : [];
}

const OMITTED = 'Omitted: not managed.';

const STATUS =
  'Set to true to enable it, whoever disabled it. Omitted: not managed; a key that someone disables stays disabled.';

function descriptionOf(row: FieldRow): string {
  if ('isStatus' in row) return `${row.doc} ${STATUS}`;
  return [row.doc, ...(row.doc.includes(OMITTED) ? [] : [OMITTED]), noteOf(row) ?? []].flat().join(' ');
}

const attributeOf = (row: FieldRow): Attribute => ({
  ...shapeOf(row),
  set: both,
  description: descriptionOf(row),
  check: (value) => errorsOf(row, value),
});

/** The attributes that only the state has: the gateway does not. */
const LOCAL: AttributeTable = {
  name_prefix: {
    type: 'string',
    set: 'optional',
    description:
      'Generates the name: this, the day of creation and a random word, at most 50 bytes together. Instead of `name`. A key that is replaced gets another name, so that `create_before_destroy` works. A key whose name begins with it already keeps its name; another prefix renames the key, which keeps its ID and secret.',
    check: prefixErrors,
  },
  rotate_when_changed: {
    type: ['map', 'string'],
    set: 'optional',
    requiresReplace: 'between values',
    description:
      'Arbitrary values, such as the output of `time_rotating`. If one of them changes, or is added or removed, the key is replaced by a new one, with another credential and its whole budget. To add the attribute to a key, or to remove it, replaces nothing. The provider `random` calls this `keepers`.',
  },
  on_destroy: {
    type: 'string',
    set: 'optional',
    description:
      'What happens to the key when Terraform destroys or replaces the resource: `delete`, the default; `disable`, which keeps it at the gateway and disabled; or `abandon`, which leaves it as it is, and enabled. The value of the last apply counts.',
    check: destroyErrors,
  },
  rotation: ROTATION,
  timeouts: TIMEOUTS,
};

export const LOCAL_ATTRIBUTES = Object.keys(LOCAL);

const DECLARED: AttributeTable = {
  name: {
    type: 'string',
    set: both,
    description:
      'Name of the key: 1 to 50 characters and at most 50 bytes. Another name renames the key, which keeps its ID and secret. A new key needs a name, or a `name_prefix`. Omitted: not managed.',
    check: nameErrors,
  },
  ...Object.fromEntries(FIELD_ROWS.map(([, row]) => [row.terraform, attributeOf(row)])),
  ...LOCAL,
};

const COMPUTED: AttributeTable = {
  id: { type: 'number', set: 'computed', description: 'The gateway’s number for the key: its only identity.' },
  status: {
    type: 'string',
    set: 'computed',
    description: 'The effective status of the key: `enabled`, `disabled`, `expired` or `exhausted`.',
  },
  stored_status: {
    type: 'string',
    set: 'computed',
    description: 'The status that the gateway has stored, which may be out of date.',
  },
  remaining_quota: {
    type: 'number',
    set: 'computed',
    description:
      'Quota units that remained when Terraform last changed what the key may spend; null without a ceiling. Consumption is not drift: `data.keyplane_api_key` reads the current figures.',
  },
  used_quota: {
    type: 'number',
    set: 'computed',
    description:
      'Quota units that the key had used when Terraform last changed what it may spend; null where the gateway does not report it.',
  },
  masked_key: {
    type: 'string',
    set: 'computed',
    description: 'The credential as the gateway shows it. Not an identity.',
  },
  created_at: {
    type: 'string',
    set: 'computed',
    description: 'The time of creation (RFC 3339); null where the gateway does not report it.',
  },
  old_generations: {
    type: ['list', 'string'],
    set: 'computed',
    description:
      'With `rotation`: the names of the former keys that still exist, the oldest first; null when there are none.',
  },
};

/** Rejects two ways to name a key. A name that `ignore_changes` keeps is that of the state. */
function nameConflict({ name = null, name_prefix: prefix = null }: TerraformObject, prior: TerraformObject = {}) {
  const isGiven = (value: TerraformValue): boolean => value !== null && !isUnknown(value);
  if (!isGiven(name) || !isGiven(prefix) || name === prior.name) return [];
  return [{ summary: 'Set either `name` or `name_prefix`', path: ['name_prefix'] }];
}

/** A rotation names each generation after the key, and is one of two mechanisms. */
function rotationConflict(config: TerraformObject): readonly DiagnosticContent[] {
  const { name_prefix: prefix = null, rotate_when_changed: values = null } = config;
  if (!isRotating(config)) return [];
  const path = ['rotation'];
  return [
    ...(prefix === null ? [] : [{ summary: 'A key with a `rotation` needs a `name`, not a `name_prefix`', path }]),
    ...(values === null ? [] : [{ summary: 'Set either `rotation` or `rotate_when_changed`', path }]),
  ];
}

export const KEY_SCHEMA: Schema = {
  version: 0,
  check: (config, prior) => [...nameConflict(config, prior), ...rotationConflict(config)],
  description:
    'An API key of the gateway: what it may do, and what it may spend. Its credential is in neither plans nor the state: the ephemeral resource `keyplane_api_key_secret` reads it. Omitted attributes are not managed: they keep their value on an existing key, even when you remove their line, of which the plan warns where it is a restriction, and get the gateway’s default on a new one. Names are unique: a key that is replaced with `create_before_destroy` needs a `name_prefix`. Use `for_each` for keys that depend on a list.\n\nDestroying the resource deletes the key permanently, unless `on_destroy` has another value; `lifecycle { prevent_destroy = true }` prevents that. Import a key by its ID, `7`, or by its name, `name=prod-checkout`; from Terraform 1.12 on also by its identity.',
  attributes: { ...DECLARED, ...COMPUTED },
};

export const KEY_IDENTITY: IdentitySchema = {
  version: 0,
  attributes: {
    id: { type: 'number', isRequiredForImport: true, description: 'The gateway’s number for the key.' },
    user_id: {
      type: 'number',
      isRequiredForImport: false,
      description: 'The user that the key belongs to. Defaults to the provider’s user.',
    },
  },
};

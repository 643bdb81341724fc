import {
  addressProblem,
  expiryProblem,
  type FieldProblem,
  groupProblem,
  KEY_FIELDS,
  modelProblem,
  NEVER,
  namingProblem,
} from '../../../domain/index.ts';
import type { Value } from '../../codec/value.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';
import type { AttributeTable, IdentitySchema, Schema } from '../../provider/schema.ts';
import { BUDGET } from './budget.ts';
import { tiersProblems } from './tiers.ts';

/** The words that a list consists of when it restricts nothing: null says that nobody manages it. */
export const ANY = 'any';
export const ANYWHERE = 'anywhere';

const quoted = (text: string): string => JSON.stringify(text);

const check =
  (problemOf: (text: string) => FieldProblem | undefined) =>
  (value: Value): readonly DiagnosticContent[] => {
    const problem = problemOf(value as string);
    return problem ? [problem] : [];
  };

/** What is wrong with the elements of a list that has a word of its own for no restriction. */
const listProblems =
  (word: string, empty: string, problemOf: (text: string) => FieldProblem | undefined) =>
  (value: Value): readonly DiagnosticContent[] => {
    const texts = (value as readonly Value[]).filter((element): element is string => typeof element === 'string');
    if ((value as readonly Value[]).length === 0) return [{ summary: 'The list is empty', detail: empty }];
    if (texts.includes(word)) {
      return texts.length === 1
        ? []
        : [{ summary: `${quoted(word)} stands alone`, detail: 'Beside it nothing else means anything.' }];
    }
    return texts.flatMap((text) => problemOf(text) ?? []);
  };

const both = 'optional or computed';

/** What people write, in the order of the manifest. */
const DECLARED: AttributeTable = {
  name: {
    type: 'string',
    set: 'required',
    description:
      'Name of the key: 1 to 50 characters and at most 50 bytes. Another name renames it: id and secret stay.',
    check: check(namingProblem),
  },
  enabled: { type: 'bool', set: both, default: true, description: KEY_FIELDS.enabled.doc },
  group: {
    type: 'string',
    set: both,
    description: `${KEY_FIELDS.group.doc} Absent: not managed.`,
    check: check(groupProblem),
  },
  cross_group_retry: { type: 'bool', set: both, description: `${KEY_FIELDS.crossGroupRetry.doc} Absent: not managed.` },
  models: {
    type: ['set', 'string'],
    set: both,
    description: `${KEY_FIELDS.models.doc} Any is written \`["${ANY}"]\`.`,
    check: listProblems(
      ANY,
      `A key without any model refuses everything. Write ["${ANY}"] for any model.`,
      modelProblem,
    ),
  },
  allow_ips: {
    type: ['set', 'string'],
    set: both,
    description: `${KEY_FIELDS.allowIps.doc} Anywhere is written \`["${ANYWHERE}"]\`.`,
    check: listProblems(ANYWHERE, `Write ["${ANYWHERE}"] for a key without this restriction.`, addressProblem),
  },
  expires_at: {
    type: 'string',
    set: both,
    description: `${KEY_FIELDS.expires.doc} \`2027-03-31T00:00:00Z\` or \`${NEVER}\`.`,
    check: check(expiryProblem),
  },
  budget: BUDGET,
  smart_routing_tiers: {
    type: 'string',
    set: both,
    description: `${KEY_FIELDS.smartRouting.doc} Written with \`jsonencode\`. Absent: not managed.`,
    check: tiersProblems,
  },
};

/** What the gateway says. */
const COMPUTED: AttributeTable = {
  id: { type: 'number', set: 'computed', description: 'The gateway’s number for the key: its only identity.' },
  status: {
    type: 'string',
    set: 'computed',
    description: 'What the key really is: `enabled`, `disabled`, `expired` or `exhausted`.',
  },
  stored_status: {
    type: 'string',
    set: 'computed',
    description: 'What the gateway has stored, which may be late.',
  },
  remaining_quota: {
    type: 'number',
    set: 'computed',
    description:
      'Quota units that it could still spend when Terraform last changed it; null: no ceiling. What keys consume is no drift: `data.keyplane_api_key` tells the figures of now.',
  },
  used_quota: {
    type: 'number',
    set: 'computed',
    description:
      'Quota units that it had ever used when Terraform last changed it; null where the gateway does not tell.',
  },
  masked_key: {
    type: 'string',
    set: 'computed',
    description: 'The credential as the gateway shows it. Never an identity.',
  },
  created_at: {
    type: 'string',
    set: 'computed',
    description: 'When it was made (RFC 3339); null where the gateway does not tell.',
  },
};

export const KEY_SCHEMA: Schema = {
  version: 0,
  description:
    'An API key of the gateway: what it may do, and what it may spend. Its credential is neither in plans nor in the state: the ephemeral resource `keyplane_api_key_secret` reads it. What is not written is not managed: it stays as it is on a key that exists, also when its line is removed, and is the gateway’s default on a new one. Names are unique: a key that is replaced with `create_before_destroy` needs another one, and keys that depend on a list are made with `for_each`.\n\nDestroying it deletes the key for good; `lifecycle { prevent_destroy = true }` keeps it. It is imported by its id, `7`, or by its name, `name=prod-checkout`; from Terraform 1.12 on by its identity too.',
  attributes: { ...DECLARED, ...COMPUTED },
};

export const KEY_IDENTITY: IdentitySchema = {
  version: 0,
  attributes: {
    id: { type: 'number', isRequiredForImport: true, description: 'The gateway’s number for the key.' },
    user_id: {
      type: 'number',
      isRequiredForImport: false,
      description: 'The user whose key it is; the provider’s own unless told.',
    },
  },
};

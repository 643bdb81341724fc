import * as z from 'zod';
import { BASE_ADDRESS, keyId, once, PROFILE_NAMES, tryParseDuration } from '../../domain/index.ts';
import { auditSchema } from './audit.ts';
import { checkDefinition, checkSelection } from './check.ts';
import { shapeOf } from './forms.ts';
import { amount, FIELD_FORMS } from './key-fields.ts';
import { METADATA_FORMS, ownersSchema } from './metadata.ts';
import { policySchema } from './policy.ts';
import { duration, globList, globs, line, matching, nameText, VERBATIM, withMessage } from './scalar.ts';
import { sinkSchema } from './sink.ts';

const rotation = () =>
  z
    .strictObject(
      {
        every: duration().describe('The age at which a generation gets a successor. At least 1h.'),
        overlap: duration().describe('The time for which the predecessor lives on, at least.'),
        quiet: duration()
          .describe(
            'The time without use that a predecessor must show before it ends. Default: 24h, or 4 × `propagate`.',
          )
          .optional(),
        overlapBudget: amount('overlap-budget')
          .describe('The most that a predecessor may spend. Omitted: what the budget leaves.')
          .optional(),
      },
      withMessage('rotate'),
    )
    .refine(
      ({ every, overlap }) => (tryParseDuration(overlap) ?? 0) < (tryParseDuration(every) ?? Number.POSITIVE_INFINITY),
      {
        ...withMessage('overlap'),
        path: ['overlap'],
      },
    )
    .meta({
      id: 'Rotation',
      description: 'Creates a successor at each interval; the predecessor ends after the overlap, once nobody uses it.',
    });

export type RotationFields = z.output<ReturnType<typeof rotation>>;

const keyNumber = () =>
  z
    .union(
      [z.int(withMessage('key-id')).min(1, withMessage('key-id')), matching(/^[1-9]\d{0,14}$/u, 'key-id')],
      withMessage('key-id'),
    )
    .transform((value) => keyId(Number(value)));

/** The fields of `defaults`, and of a key. */
export const DEFAULTS_FORMS = {
  ...FIELD_FORMS,
  ...METADATA_FORMS,
  deliver: once(() =>
    z
      .array(sinkSchema(), withMessage('deliver'))
      .min(1, withMessage('deliver'))
      .describe('Where the secret is delivered.')
      .optional(),
  ),
  rotate: once(() => rotation().optional()),
  checks: once(() => checkSelection().optional()),
};

/** The fields of a key. */
export const KEY_FORMS = {
  ...DEFAULTS_FORMS,
  id: once(() =>
    keyNumber().describe('Adopts the live key with this ID, whatever its name is. Requires its name.').optional(),
  ),
  name: once(() =>
    z
      .string(withMessage('live-name'))
      .meta({ description: 'The exact name of the live key that `id` adopts.', [VERBATIM]: true })
      .optional(),
  ),
  renamedFrom: once(() =>
    z
      .union([nameText(), z.strictObject({ id: keyNumber() }).transform(({ id }) => id)], withMessage('renamed-from'))
      .meta({ description: 'The former name, or the ID of the key. The ID and the secret stay.', [VERBATIM]: true })
      .optional(),
  ),
};

/** The fields of `gateway`. */
export const GATEWAY_FORMS = {
  url: once(() =>
    matching(BASE_ADDRESS, 'url')
      .meta({ description: 'The base URL of the gateway.', [VERBATIM]: true })
      .optional(),
  ),
  userId: once(() =>
    z
      .union(
        [z.int(withMessage('user-id')).min(1, withMessage('user-id')), matching(/^[1-9]\d{0,14}$/u, 'user-id')],
        withMessage('user-id'),
      )
      .transform(Number)
      .describe('The numeric user ID that the system access token belongs to.')
      .optional(),
  ),
  accessTokenFile: once(() =>
    line('path')
      .meta({
        description: 'A file that holds the system access token, in the folder of the manifest file or below it.',
        [VERBATIM]: true,
      })
      .optional(),
  ),
  profile: once(() =>
    z
      .union(
        [z.enum(PROFILE_NAMES, withMessage('profile')), matching(/^[^\p{Cc}]+\.json$/u, 'profile')],
        withMessage('profile'),
      )
      .meta({
        description:
          'The behaviour of the gateway: a name, or a profile file in the folder of the manifest file or below it. Omitted: recognized by its answers.',
        [VERBATIM]: true,
      })
      .optional(),
  ),
};

const PRUNE_MODES = ['never', 'disable', 'delete'] as const;

/** The fields of `ownership`. */
export const OWNERSHIP_FORMS = {
  scope: once(() => globs().describe('Names that this manifest owns. Omitted: only the names it declares.').optional()),
  prune: once(() =>
    z
      .union(
        [
          z.enum(PRUNE_MODES, withMessage('prune')),
          z.strictObject({
            mode: z.enum(PRUNE_MODES, withMessage('prune-mode')),
            quarantine: duration()
              .describe(
                'The time for which a key is disabled before it is deleted, in whole days. Requires the mode `delete`.',
              )
              .optional(),
          }),
        ],
        withMessage('prune'),
      )
      .describe('What happens to owned keys that are not declared. Default: never.')
      .optional(),
  ),
  protect: once(() => globList().describe('Names that are never disabled, deleted or renamed.').optional()),
};

const defaultsSchema = () =>
  z
    .strictObject(shapeOf(DEFAULTS_FORMS), withMessage('map'))
    .meta({ id: 'Defaults', description: 'Values for keys that omit a field.' });

const keySchema = () =>
  z.strictObject(shapeOf(KEY_FORMS), withMessage('key')).meta({
    id: 'Key',
    description: 'One key. An omitted field is not managed.',
    dependentRequired: { id: ['name'], name: ['id'] },
  });

const gatewaySchema = () =>
  z
    .strictObject(shapeOf(GATEWAY_FORMS), withMessage('map'))
    .meta({ id: 'Gateway', description: 'The gateway and the account.' });

const ownershipSchema = () =>
  z
    .strictObject(shapeOf(OWNERSHIP_FORMS), withMessage('map'))
    .meta({ id: 'Ownership', description: 'Which live keys this manifest owns.' });

/** The fields of a manifest. Each section is read field by field, so only its JSON Schema needs these. */
const ROOT_FORMS = {
  $schema: () =>
    z.string(withMessage('text')).describe('The location of this schema, for editors. Keyplane ignores it.').optional(),
  version: () => z.literal(1, withMessage('version')).describe('The version of the manifest’s language.'),
  gateway: () => gatewaySchema().optional(),
  ownership: () => ownershipSchema().optional(),
  owners: () => ownersSchema().optional(),
  policy: () => policySchema().optional(),
  audit: () => auditSchema().optional(),
  defaults: () => defaultsSchema().optional(),
  keys: () => z.record(nameText(), keySchema(), withMessage('keys')).describe('The keys, by name.').optional(),
  checks: () =>
    z.record(nameText(), checkDefinition(), withMessage('map')).describe('Named checks that keys select.').optional(),
};

/** The names of the fields of a manifest, in their order. */
export const ROOT_FIELDS: readonly string[] = Object.keys(ROOT_FORMS);

export const manifestSchema = once(() =>
  z
    .strictObject(shapeOf(ROOT_FORMS), withMessage('map'))
    .meta({ title: 'Keyplane manifest', description: 'The desired API keys of an LLM gateway account.' }),
);

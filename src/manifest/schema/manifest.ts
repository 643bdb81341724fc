import { z } from 'zod';
import { BASE_ADDRESS, KEY_FIELDS, parseIpRule, tryParseInstant } from '../../domain/index.ts';
import { Budget } from './budget.ts';
import { CheckDefinition, CheckSelection } from './check.ts';
import { duration, flag, globList, globs, groupName, line, modelId, nameText, says, textOf } from './scalar.ts';
import { Sink } from './sink.ts';

const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.0+)?)?(Z|[+-]\d{2}:\d{2})$/u;
const ADDRESS = /^[0-9A-Fa-f.:]+(\/\d{1,3})?$/u;

const SmartRouting = z
  .strictObject(
    {
      tiers: z
        .union([z.looseObject({}), z.array(z.unknown()), z.string(), z.number(), z.boolean()], says('tiers'))
        .describe(KEY_FIELDS.smartRouting.doc),
    },
    says('smart-routing'),
  )
  .meta({ id: 'SmartRouting', description: 'Smart Routing. Absent: left alone.' });

const Rotation = z
  .strictObject({ every: duration(), overlap: duration() }, says('rotate'))
  .meta({ id: 'Rotation', description: 'A successor every so often; the one before ends after the overlap.' });

const ipRule = () => textOf(ADDRESS, 'ip-rule').refine((text) => parseIpRule(text).ok, says('ip-rule'));

const instant = () => textOf(RFC3339, 'expires').refine((text) => tryParseInstant(text) !== undefined, says('expires'));

/** What may stand in `defaults`, and in a key. */
const keyFields = {
  enabled: flag().describe(KEY_FIELDS.enabled.doc).optional(),
  group: groupName().describe(KEY_FIELDS.group.doc).optional(),
  crossGroupRetry: flag().describe(KEY_FIELDS.crossGroupRetry.doc).optional(),
  models: z
    .union(
      [z.literal('any', says('models')), z.array(modelId(), says('models')).min(1, says('models-empty'))],
      says('models'),
    )
    .describe(KEY_FIELDS.models.doc)
    .optional(),
  allowIps: z
    .union(
      [z.literal('anywhere', says('allow-ips')), z.array(ipRule(), says('allow-ips')).min(1, says('allow-ips-empty'))],
      says('allow-ips'),
    )
    .describe(KEY_FIELDS.allowIps.doc)
    .optional(),
  expires: z
    .union([z.literal('never', says('expires')), instant()], says('expires'))
    .describe(KEY_FIELDS.expires.doc)
    .optional(),
  budget: Budget.optional(),
  smartRouting: SmartRouting.optional(),
  deliver: z
    .array(Sink, says('deliver'))
    .min(1, says('deliver'))
    .describe('Where the secret goes. Validated; does not act yet.')
    .optional(),
  rotate: Rotation.optional(),
  checks: CheckSelection.optional(),
};

export const Defaults = z
  .strictObject(keyFields, says('map'))
  .meta({ id: 'Defaults', description: 'Fields that keys take over when they do not have them.' });

export const Key = z
  .strictObject(
    { ...keyFields, renamedFrom: nameText().describe('The name before: id and secret stay.').optional() },
    says('key'),
  )
  .meta({ id: 'Key', description: 'One key. An absent field is not managed.' });

export const Gateway = z
  .strictObject(
    {
      url: textOf(BASE_ADDRESS, 'url').describe('The base address of the gateway.').optional(),
      userId: z
        .union([z.int(says('user-id')).min(1, says('user-id')), textOf(/^[1-9]\d{0,14}$/u, 'user-id')], says('user-id'))
        .describe('The numeric user ID that the system access token belongs to.')
        .optional(),
      accessTokenFile: line('path')
        .describe('A file that holds the system access token; relative to the manifest file.')
        .optional(),
    },
    says('map'),
  )
  .meta({ id: 'Gateway', description: 'The gateway and the account.' });

export const Ownership = z
  .strictObject(
    {
      scope: globs().describe('Names that this manifest owns. Absent: only the names it declares.').optional(),
      prune: z
        .enum(['never', 'disable', 'delete'], says('prune'))
        .describe('What happens to owned keys that are not declared. Default: never.')
        .optional(),
      protect: globList().describe('Names that are never disabled, deleted or renamed.').optional(),
    },
    says('map'),
  )
  .meta({ id: 'Ownership', description: 'Which live keys are ours.' });

export const ManifestSchema = z
  .strictObject(
    {
      $schema: z.string(says('text')).describe('Where this schema is, for editors. Not read.').optional(),
      version: z.literal(1, says('version')).describe('The version of the manifest’s language.'),
      gateway: Gateway.optional(),
      ownership: Ownership.optional(),
      defaults: Defaults.optional(),
      keys: z.record(nameText(), Key, says('keys')).describe('The keys, by name.').optional(),
      checks: z.record(nameText(), CheckDefinition, says('map')).describe('Named checks that keys select.').optional(),
    },
    says('map'),
  )
  .meta({ title: 'Keyplane manifest', description: 'The API keys of an LLM gateway account, as they shall be.' });

import * as z from 'zod';
import { LABEL_NAME, LABELS_DOC, METADATA_TEXT, METADATA_TEXTS, once } from '../../domain/index.ts';
import { globs, matching, withMessage } from './scalar.ts';

const text = () => matching(METADATA_TEXT, 'metadata');

const owner = () => matching(METADATA_TEXT, 'owner');

/** Labels; the values may be numbers and flags, which become texts. */
const labels = () =>
  z
    .record(
      z.string().regex(LABEL_NAME, withMessage('label-name')),
      z.union([text(), z.number(), z.boolean()], withMessage('metadata')).transform(String),
      withMessage('labels'),
    )
    .describe(LABELS_DOC);

/** The metadata of a key; see {@link KeyMetadata}. */
export const METADATA_FORMS = {
  owner: once(() => owner().describe(METADATA_TEXTS.owner).optional()),
  description: once(() => text().describe(METADATA_TEXTS.description).optional()),
  ticket: once(() => text().describe(METADATA_TEXTS.ticket).optional()),
  labels: once(() => labels().optional()),
};

const notify = () =>
  z
    .union([text(), z.array(text()).min(1, withMessage('notify'))], withMessage('notify'))
    .transform((value): readonly string[] => (typeof value === 'string' ? [value] : value));

/** An owner: the keys that are theirs by name, and the contacts for them. */
export const ownerSchema = once(() =>
  z
    .strictObject(
      {
        keys: globs()
          .describe(
            'Names of keys that are theirs unless the key names another owner. The last owner that matches wins.',
          )
          .optional(),
        notify: notify().describe('The people or channels that drift messages are for.').optional(),
      },
      withMessage('map'),
    )
    .meta({ id: 'Owner', description: 'An owner of keys.' }),
);

export const ownersSchema = () =>
  z
    .record(owner(), ownerSchema(), withMessage('owners'))
    .describe('The owners of keys, by name, with their keys and contacts.');

import * as z from 'zod';
import { line, matching, withMessage } from './scalar.ts';

const file = () => line('path').describe('Relative to the folder of the manifest file.');

const entryName = () => matching(/^[A-Za-z0-9_.-]+$/u, 'entry-name').describe('The entry that holds the secret.');

const kubernetesName = () => matching(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/u, 'kubernetes-name');

/** The destination of the usable credential of a key. */
export const Sink = z
  .union(
    [
      z.strictObject({
        file: file(),
        format: z.enum(['dotenv', 'json', 'yaml'], withMessage('format')),
        as: entryName(),
      }),
      z.strictObject({ file: file(), format: z.literal('raw', withMessage('format')) }),
      z.strictObject({
        file: file(),
        encrypt: z
          .array(matching(/^age1[0-9a-z]+$/u, 'recipients'), withMessage('recipients'))
          .min(1, withMessage('recipients')),
      }),
      z.strictObject({
        kubernetesSecret: z.strictObject(
          { name: kubernetesName(), namespace: kubernetesName().optional(), file: file() },
          withMessage('sink'),
        ),
      }),
      z.strictObject({ exec: z.array(line('argv'), withMessage('argv')).min(1, withMessage('argv')) }),
    ],
    withMessage('sink'),
  )
  .meta({ id: 'Sink', description: 'A place where the secret is delivered.' });

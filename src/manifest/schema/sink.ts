import * as z from 'zod';
import { line, matching, words } from './scalar.ts';

const file = () => line('path').describe('Relative to the folder of the manifest file.');

const entryName = () => matching(/^[A-Za-z0-9_.-]+$/u, 'entry-name').describe('The entry that holds the secret.');

const kubernetesName = () => matching(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/u, 'kubernetes-name');

/** The destination of the usable credential of a key. */
export const Sink = z
  .union(
    [
      z.strictObject({ file: file(), format: z.enum(['dotenv', 'json', 'yaml'], words('format')), as: entryName() }),
      z.strictObject({ file: file(), format: z.literal('raw', words('format')) }),
      z.strictObject({
        file: file(),
        encrypt: z.array(matching(/^age1[0-9a-z]+$/u, 'recipients'), words('recipients')).min(1, words('recipients')),
      }),
      z.strictObject({
        kubernetesSecret: z.strictObject(
          { name: kubernetesName(), namespace: kubernetesName().optional(), file: file() },
          words('sink'),
        ),
      }),
      z.strictObject({ exec: z.array(line('argv'), words('argv')).min(1, words('argv')) }),
    ],
    words('sink'),
  )
  .meta({ id: 'Sink', description: 'A place where the secret is delivered.' });

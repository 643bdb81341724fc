import { z } from 'zod';
import { line, says, textOf } from './scalar.ts';

const file = () => line('path').describe('Relative to the folder of the manifest file.');

const entryName = () => textOf(/^[A-Za-z0-9_.-]+$/u, 'entry-name').describe('The entry that holds the secret.');

const kubernetesName = () => textOf(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/u, 'kubernetes-name');

/** Where the usable credential of a key is delivered. */
export const Sink = z
  .union(
    [
      z.strictObject({ file: file(), format: z.enum(['dotenv', 'json', 'yaml'], says('format')), as: entryName() }),
      z.strictObject({ file: file(), format: z.literal('raw', says('format')) }),
      z.strictObject({
        file: file(),
        encrypt: z.array(textOf(/^age1[0-9a-z]+$/u, 'recipients'), says('recipients')).min(1, says('recipients')),
      }),
      z.strictObject({
        kubernetesSecret: z.strictObject(
          { name: kubernetesName(), namespace: kubernetesName().optional(), file: file() },
          says('sink'),
        ),
      }),
      z.strictObject({ exec: z.array(line('argv'), says('argv')).min(1, says('argv')) }),
    ],
    says('sink'),
  )
  .meta({ id: 'Sink', description: 'A place where the secret is delivered.' });

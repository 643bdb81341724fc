import { EMBEDDINGS } from '../../../src/wire/index.ts';
import { describeRows } from './rows.ts';

const row = { family: EMBEDDINGS, base: { model: 'text-embedding-3-small', input: 'hi' } };
const sized = (model: string, dimensions: number) => ({ model, dimensions });

describeRows('Embeddings (list format)', [
  {
    title: '`model`: string, required',
    ...row,
    accepts: [{ model: 'm' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
    ],
  },
  {
    title: '`input`: string or array, required, text or list of texts',
    ...row,
    accepts: [
      { input: '' },
      { input: ['a', 'b'] },
      { input: ['a'] },
      { input: [0, 2] },
      { input: [[1], [2, 3]] },
      { input: [[1]] },
    ],
    refuses: [
      [{ input: undefined }, 'input'],
      [{ input: [] }, 'input'],
      [{ input: {} }, 'input'],
      [{ input: ['a', 'b', 1] }, 'input[2]'],
      [{ input: [1, 2, -1] }, 'input[2]'],
      [{ input: [1, 2, 0.5] }, 'input[2]'],
      [{ input: [[1], []] }, 'input[1]'],
    ],
  },
  {
    title: '`encoding_format`: string, `float` or `base64`',
    ...row,
    accepts: [{ encoding_format: 'float' }, { encoding_format: 'base64' }],
    refuses: [
      [{ encoding_format: 'int8' }, 'encoding_format'],
      [{ encoding_format: null }, 'encoding_format'],
    ],
  },
  {
    title: '`dimensions`: integer, model-dependent output size',
    ...row,
    accepts: [{ dimensions: 1 }, { dimensions: 256 }, sized('another-model', 100_000)],
    refuses: [
      [{ dimensions: 0 }, 'dimensions'],
      [{ dimensions: 1.5 }, 'dimensions'],
      [{ dimensions: '256' }, 'dimensions'],
    ],
  },
]);

describeRows('Limits, embeddings', [
  {
    title: 'embedding dimensions: `text-embedding-3-small` 1536',
    ...row,
    accepts: [sized('text-embedding-3-small', 1535), sized('text-embedding-3-small', 1536)],
    refuses: [[sized('text-embedding-3-small', 1537), 'dimensions']],
  },
  {
    title: 'embedding dimensions: `text-embedding-3-large` 3072',
    ...row,
    accepts: [sized('text-embedding-3-large', 3071), sized('text-embedding-3-large', 3072)],
    refuses: [[sized('text-embedding-3-large', 3073), 'dimensions']],
  },
  {
    title: 'embedding dimensions: `text-embedding-ada-002` 1536, and no other',
    ...row,
    accepts: [{ model: 'text-embedding-ada-002' }, sized('text-embedding-ada-002', 1536)],
    refuses: [
      [sized('text-embedding-ada-002', 1535), 'dimensions'],
      [sized('text-embedding-ada-002', 1537), 'dimensions'],
    ],
  },
]);

import { describe, expect, it } from 'vitest';
import {
  GAMMA_IMAGE,
  GAMMA_MODELS,
  isGammaEdit,
  type KnownMedia,
  MEGABYTE,
  tryFindFamily,
} from '../../../src/wire/index.ts';
import { type Accepted, every } from './row-cases.ts';
import { describeRows } from './rows.ts';

const BOTH = ['gamma-image-2.0-pro', 'gamma-image-2.0'];
const GENERATING = ['gamma-image-max', 'gamma-image-plus', 'gamma-image'];
const EDGED = ['gamma-image-edit-max', 'gamma-image-edit-plus'];
const PLAIN_EDIT = 'gamma-image-edit';
const EDITING = [...EDGED, PLAIN_EDIT];
const UNKNOWN = 'gamma-image-3';

const CONTENT = 'input.messages[0].content';
const text = { text: 'a red cube' };
const image = { image: 'https://example.com/a.png' };
const several = (count: number) => Array.from({ length: count }, () => image);
const request = (model: string, images = 0) => ({
  model,
  input: { messages: [{ role: 'user' as const, content: [text, ...several(images)] }] },
});
/** A body that the model takes, by what it does. */
const of = (model: string, fields: object = {}) => ({
  ...request(model, EDITING.includes(model) ? 1 : 0),
  ...fields,
});
const parameters = (model: string, fields: object) => of(model, { parameters: fields });

const refused = (models: readonly string[], field: string, values: readonly unknown[]) =>
  every(
    models.flatMap((model) => values.map((value) => parameters(model, { [field]: value }))),
    (patch) => [patch, `parameters.${field}`] as const,
  );
const accepted = (models: readonly string[], field: string, values: readonly unknown[]) =>
  every(
    models.flatMap((model) => values.map((value) => [model, value] as const)),
    ([model, value]) => parameters(model, { [field]: value }),
  );

const row = { family: GAMMA_IMAGE, base: request('gamma-image-2.0') };
const edit = { family: GAMMA_IMAGE, base: request('gamma-image-2.0', 1) };

const picture = (format: string, bytes = 1): KnownMedia => ({ kind: 'image', format, bytes });
const IMAGE = `${CONTENT}[1].image`;
const known = (facts: KnownMedia) => ({ files: { [IMAGE]: facts } });
const uri = (mediaType: string): string => `data:${mediaType};base64,AQID`;

describeRows('Image generation, family gamma', [
  {
    title: '`model`: string, required',
    ...row,
    accepts: every([...BOTH, ...GENERATING, ...EDITING, UNKNOWN], (model) => of(model)),
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
    ],
  },
  {
    title: '`input`: object, required',
    ...row,
    accepts: [{ 'input.other': 1 }],
    refuses: [
      [{ input: undefined }, 'input'],
      [{ input: 'a red cube' }, 'input'],
    ],
  },
  {
    title: '`input.messages`: exactly one message',
    ...row,
    accepts: [{ 'input.messages[0].other': 1 }],
    refuses: [
      [{ 'input.messages': undefined }, 'input.messages'],
      [{ 'input.messages': [] }, 'input.messages'],
      [{ 'input.messages[1]': { role: 'user', content: [text] } }, 'input.messages'],
    ],
  },
  {
    title: '`input.messages[].role`: must be `user`',
    ...row,
    accepts: [{ 'input.messages[0].role': 'user' }],
    refuses: [
      [{ 'input.messages[0].role': undefined }, 'input.messages[0].role'],
      [{ 'input.messages[0].role': 'system' }, 'input.messages[0].role'],
      [{ 'input.messages[0].role': 'User' }, 'input.messages[0].role'],
    ],
  },
  {
    title: '`input.messages[].content`: generation exactly one text item, editing one text item plus 1-3 image items',
    ...row,
    accepts: [
      { [CONTENT]: [text] },
      { [CONTENT]: [text, ...several(1)] },
      { [CONTENT]: [text, ...several(3)] },
      { [CONTENT]: [...several(3), text] },
      ...every(BOTH, (model) => request(model)),
      ...every(BOTH, (model) => request(model, 3)),
      ...every(GENERATING, (model) => request(model)),
      ...every(EDITING, (model) => request(model, 1)),
      ...every(EDITING, (model) => request(model, 3)),
      request(UNKNOWN),
      request(UNKNOWN, 3),
    ],
    refuses: [
      [{ [CONTENT]: undefined }, CONTENT],
      [{ [CONTENT]: [] }, CONTENT],
      [{ [CONTENT]: 'a red cube' }, CONTENT],
      [{ [CONTENT]: [text, text] }, CONTENT],
      [{ [CONTENT]: [text, text, image] }, CONTENT],
      [{ [CONTENT]: [image] }, CONTENT],
      [{ [CONTENT]: [{ ...text, ...image }] }, `${CONTENT}[0]`],
      [{ [CONTENT]: [text, {}] }, `${CONTENT}[1]`],
      ...every([...BOTH, ...EDITING, UNKNOWN], (model) => [request(model, 4), CONTENT] as const),
      ...every(GENERATING, (model) => [request(model, 1), CONTENT] as const),
      ...every(EDITING, (model) => [request(model), CONTENT] as const),
    ],
  },
  {
    title: '`input.messages[].content[].text`: string; excess tokens are truncated, not refused',
    ...row,
    accepts: [{ [`${CONTENT}[0].text`]: 'x' }, { [`${CONTENT}[0].text`]: 'a red cube. '.repeat(5000) }],
    refuses: [
      [{ [`${CONTENT}[0].text`]: '' }, `${CONTENT}[0].text`],
      [{ [`${CONTENT}[0].text`]: 1 }, `${CONTENT}[0].text`],
    ],
  },
  {
    title: '`input.messages[].content[].image`: public URL, native temporary object-storage URL, or Base64 data URI',
    ...edit,
    accepts: every(
      [
        'http://example.com/a.gif',
        'https://example.com/a',
        'oss://bucket/a.png',
        ...['jpg', 'jpeg', 'png', 'bmp', 'tiff', 'webp', 'gif'].map((format) => uri(`image/${format}`)),
        uri('image/PNG'),
      ],
      (value) => ({ [IMAGE]: value }),
    ),
    refuses: every(
      [
        '',
        'a.png',
        'oss://',
        'ftp://example.com/a.png',
        uri('image/heic'),
        uri('video/mp4'),
        'data:image/png;base64,A',
      ],
      (value) => [{ [IMAGE]: value }, IMAGE] as const,
    ),
  },
  {
    title: '`parameters`: object',
    ...row,
    accepts: [{ parameters: {} }, { parameters: { some_field_that_is_not_shown: 1 } }],
    refuses: [[{ parameters: [] }, 'parameters']],
  },
  {
    title: '`parameters.n`: 1-6, and 1 for `gamma-image-edit`, `gamma-image-max`, `gamma-image-plus`, `gamma-image`',
    ...row,
    accepts: [
      ...accepted([...BOTH, ...EDGED, UNKNOWN], 'n', [1, 6]),
      ...accepted([...GENERATING, PLAIN_EDIT], 'n', [1]),
    ],
    refuses: [
      ...refused([...BOTH, ...EDGED, UNKNOWN], 'n', [0, 7, 1.5, '1']),
      ...refused([...GENERATING, PLAIN_EDIT], 'n', [0, 2, 6]),
    ],
  },
  {
    title: '`parameters.size`: `width*height`, asterisk, not `x`',
    ...row,
    accepts: accepted(['gamma-image-2.0', UNKNOWN], 'size', ['1024*768', '1000*1000']),
    refuses: refused(['gamma-image-2.0', UNKNOWN], 'size', [
      '1024x768',
      '1024×768',
      '1024',
      'auto',
      '*1024',
      '0*0',
      1024,
    ]),
  },
  {
    title: '`parameters.size` of `gamma-image-2.0` and `-pro`: total pixels 262144-4194304',
    ...row,
    accepts: [
      ...accepted(BOTH, 'size', ['512*512', '2048*2048', '256*1024', '4096*1024', '1*262144']),
      ...every(BOTH, (model) => ({ ...request(model, 1), parameters: { size: '512*512' } })),
    ],
    refuses: refused(BOTH, 'size', ['511*512', '512*511', '2048*2049', '5*838861', '1*262143', '1*1']),
  },
  {
    title: '`parameters.size` of `gamma-image-edit-max` and `-plus`: each edge 512-2048 px',
    ...row,
    accepts: accepted(EDGED, 'size', ['512*512', '2048*2048', '512*2048', '2048*512']),
    refuses: refused(EDGED, 'size', ['511*1024', '1024*511', '2049*1024', '1024*2049']),
  },
  {
    title: '`parameters.size` of `gamma-image-edit`: must not be sent',
    ...row,
    accepts: [of(PLAIN_EDIT), parameters(PLAIN_EDIT, {})],
    refuses: refused([PLAIN_EDIT], 'size', ['1024*1024', '1664*928']),
  },
  {
    title:
      '`parameters.size` of `gamma-image-max`, `-plus`, base: `1664*928`, `1472*1104`, `1328*1328`, `1104*1472`, `928*1664`',
    ...row,
    accepts: accepted(GENERATING, 'size', ['1664*928', '1472*1104', '1328*1328', '1104*1472', '928*1664']),
    refuses: refused(GENERATING, 'size', ['1024*1024', '1664*929', '1328*1327', '2048*2048']),
  },
  {
    title: '`parameters.negative_prompt`: at most 500 characters, excess truncated and not refused',
    ...row,
    accepts: [
      { 'parameters.negative_prompt': 'x'.repeat(500) },
      { 'parameters.negative_prompt': 'x'.repeat(501) },
      { 'parameters.negative_prompt': '' },
    ],
    refuses: [[{ 'parameters.negative_prompt': ['x'] }, 'parameters.negative_prompt']],
  },
  {
    title: '`parameters.prompt_extend`: boolean, not supported by `gamma-image-edit`',
    ...row,
    accepts: accepted([...BOTH, ...GENERATING, ...EDGED, UNKNOWN], 'prompt_extend', [true, false]),
    refuses: [
      ...refused([PLAIN_EDIT], 'prompt_extend', [true, false]),
      [{ 'parameters.prompt_extend': 'true' }, 'parameters.prompt_extend'],
    ],
  },
  {
    title: '`parameters.watermark`: boolean',
    ...row,
    accepts: [{ 'parameters.watermark': true }, { 'parameters.watermark': false }],
    refuses: [[{ 'parameters.watermark': 'x' }, 'parameters.watermark']],
  },
  {
    title: '`parameters.seed`: integer, 0-2147483647',
    ...row,
    accepts: [{ 'parameters.seed': 0 }, { 'parameters.seed': 2_147_483_647 }],
    refuses: every([-1, 2_147_483_648, 0.5, '1'], (seed) => [{ 'parameters.seed': seed }, 'parameters.seed'] as const),
  },
  {
    title: 'there is no top-level `prompt`',
    ...row,
    accepts: [{ user: 'u' }],
    refuses: [
      [{ prompt: 'a red cube' }, 'prompt'],
      [{ prompt: '' }, 'prompt'],
    ],
  },
  {
    title: 'editing inputs: JPG, JPEG, PNG, BMP, TIFF, WebP, GIF; at most 10 MB each; 384-3072 px is not a hard bound',
    ...edit,
    accepts: [
      ...every(
        ['jpeg', 'png', 'bmp', 'tiff', 'webp', 'gif'],
        (format): Accepted => [{}, known(picture(format, 10 * MEGABYTE))],
      ),
      [{}, known({ kind: 'image', format: 'png', bytes: 1, width: 383, height: 3073 })],
      [{}, known(undefined)],
    ],
    refuses: [
      [{}, IMAGE, known(picture('heic'))],
      [{}, IMAGE, known(picture('png', 10 * MEGABYTE + 1))],
      [{}, IMAGE, known('unreadable')],
      [{}, IMAGE, known({ kind: 'video', format: 'mp4', bytes: 1 })],
    ],
  },
]);

describe('a request of family gamma', () => {
  it('edits when it holds an image', () => {
    expect(isGammaEdit(request('gamma-image-2.0'))).toBe(false);
    expect(isGammaEdit(request('gamma-image-2.0', 1))).toBe(true);
  });

  it('has one of eight models, or another that begins so, and no endpoint of its own for edits', () => {
    expect(Object.keys(GAMMA_MODELS)).toEqual([...BOTH, ...GENERATING, ...EDITING]);
    for (const model of [...BOTH, ...GENERATING, ...EDITING, UNKNOWN]) {
      expect(tryFindFamily('generateImages', model)?.id).toBe('gamma-image');
      expect(tryFindFamily('editImages', model)).toBeUndefined();
    }
  });
});

import { describe, expect, it } from 'vitest';
import { NATIVE_IMAGE, NATIVE_IMAGE_MODELS, requestDiagnostics } from '../../../src/wire/index.ts';
import { describeRows } from './rows.ts';

const inlineData = { mimeType: 'image/png', data: 'AQID' };
const base = { contents: [{ role: 'user', parts: [{ text: 'a red cube' }] }] };
const row = { family: NATIVE_IMAGE, base, model: 'eta-3-pro-image' };

const PART = 'contents[0].parts[1]';
const DATA = `${PART}.inlineData.data`;
const MODALITIES = 'generationConfig.responseModalities';
const RATIO = 'generationConfig.imageConfig.aspectRatio';
const SIZE = 'generationConfig.imageConfig.imageSize';

const EVERY_MODEL = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const WIDE = ['1:4', '4:1', '1:8', '8:1'];
const PLAIN_MODELS = ['eta-2.5-flash-image', 'eta-3-pro-image'];
const WIDE_MODELS = ['eta-3.1-flash-image', 'eta-3.1-flash-image-preview'];

const of =
  (field: string, model: string) =>
  (value: string): [Record<string, string>, { model: string }] => [{ [field]: value }, { model }];
const all = <Model, Case>(models: readonly Model[], cases: (model: Model) => readonly Case[]) =>
  models.flatMap(cases) as [Case, ...Case[]];
const refused = (field: string, values: readonly string[], model: string) =>
  values.map((value) => [{ [field]: value }, field, { model }] as const);

describeRows('Native streaming image generation', [
  {
    title: '`contents`: array, required, items with `role` (usually `user`) and `parts` (required array)',
    ...row,
    accepts: [{ 'contents[0].role': undefined }, { 'contents[0].role': 'model' }, { 'contents[1]': base.contents[0] }],
    refuses: [
      [{ contents: undefined }, 'contents'],
      [{ contents: [] }, 'contents'],
      [{ contents: 'a red cube' }, 'contents'],
      [{ 'contents[0].role': 1 }, 'contents[0].role'],
      [{ 'contents[0].parts': undefined }, 'contents[0].parts'],
      [{ 'contents[0].parts': [] }, 'contents[0].parts'],
      [{ 'contents[1]': { role: 'user', parts: {} } }, 'contents[1].parts'],
    ],
  },
  {
    title: '`contents[].parts[]`: `{text}` or `{inlineData: {mimeType, data}}`, `data` Base64 without prefix',
    ...row,
    accepts: [
      { [PART]: { text: '' } },
      { [PART]: { inlineData } },
      { [PART]: { inlineData: { ...inlineData, mimeType: 'image/jpeg' } } },
      { [PART]: { inlineData: { ...inlineData, mimeType: 'image/webp' } } },
      { [PART]: { inlineData }, 'contents[0].parts[2]': { inlineData } },
    ],
    refuses: [
      [{ [PART]: 'a' }, PART],
      [{ [PART]: {} }, PART],
      [{ [PART]: { text: 'a', inlineData } }, PART],
      [{ [PART]: { text: 1 } }, `${PART}.text`],
      [{ [PART]: { inlineData: 'AQID' } }, `${PART}.inlineData`],
      [{ [PART]: { inlineData: { data: 'AQID' } } }, `${PART}.inlineData.mimeType`],
      [{ [PART]: { inlineData: { ...inlineData, mimeType: 'image/gif' } } }, `${PART}.inlineData.mimeType`],
      [{ [PART]: { inlineData: { ...inlineData, mimeType: 'image/PNG' } } }, `${PART}.inlineData.mimeType`],
      [{ [PART]: { inlineData: { mimeType: 'image/png' } } }, DATA],
      [{ [PART]: { inlineData: { ...inlineData, data: '' } } }, DATA],
      [{ [PART]: { inlineData: { ...inlineData, data: 'A' } } }, DATA],
      [{ [PART]: { inlineData: { ...inlineData, data: 'data:image/png;base64,AQID' } } }, DATA],
    ],
  },
  {
    title: 'the bytes of `inlineData` are a picture of these formats',
    family: NATIVE_IMAGE,
    base: { contents: [{ parts: [{ text: 'a' }, { inlineData }] }] },
    model: 'eta-3-pro-image',
    accepts: [[{}, { files: { [DATA]: { kind: 'image', format: 'webp', bytes: 3 } } }]],
    refuses: [
      [{}, DATA, { files: { [DATA]: { kind: 'image', format: 'gif', bytes: 3 } } }],
      [{}, DATA, { files: { [DATA]: 'unreadable' } }],
    ],
  },
  {
    title: '`generationConfig.responseModalities`: array, if present must include `IMAGE`',
    ...row,
    accepts: [{ [MODALITIES]: ['TEXT', 'IMAGE'] }, { [MODALITIES]: ['IMAGE'] }, { generationConfig: {} }],
    refuses: [
      [{ [MODALITIES]: [] }, MODALITIES],
      [{ [MODALITIES]: ['TEXT'] }, MODALITIES],
      [{ [MODALITIES]: ['image'] }, MODALITIES],
      [{ [MODALITIES]: 'IMAGE' }, MODALITIES],
      [{ [MODALITIES]: ['IMAGE', 1] }, `${MODALITIES}[1]`],
    ],
  },
  {
    title: '`generationConfig.imageConfig.aspectRatio`: ten ratios, four more for the `eta-3.1-flash-image` series',
    ...row,
    accepts: all([...PLAIN_MODELS, ...WIDE_MODELS, 'eta-4-image'], (model) =>
      (PLAIN_MODELS.includes(model) ? EVERY_MODEL : [...EVERY_MODEL, ...WIDE]).map(of(RATIO, model)),
    ),
    refuses: [
      ...all(PLAIN_MODELS, (model) => refused(RATIO, [...WIDE, '5:2', 'auto'], model)),
      ...all([...WIDE_MODELS, 'eta-4-image'], (model) => refused(RATIO, ['5:2', '1:16', 'auto'], model)),
    ],
  },
  {
    title: '`generationConfig.imageConfig.imageSize`: `1K`, `2K`, `4K`; not used by `eta-2.5-flash-image`',
    ...row,
    accepts: all(['eta-3-pro-image', 'eta-2.5-flash-image', ...WIDE_MODELS, 'eta-4-image'], (model) =>
      ['1K', '2K', '4K'].map(of(SIZE, model)),
    ),
    refuses: all(['eta-3-pro-image', 'eta-2.5-flash-image', ...WIDE_MODELS], (model) =>
      refused(SIZE, ['1k', '8K'], model),
    ),
  },
]);

describe('a native image request', () => {
  it('has the models of the contract', () => {
    expect(Object.keys(NATIVE_IMAGE_MODELS).sort()).toEqual([...PLAIN_MODELS, ...WIDE_MODELS].sort());
  });

  it('is rejected for a prefix before its Base64', () => {
    const data = 'data:image/png;base64,AQID';
    const body = { contents: [{ parts: [{ inlineData: { ...inlineData, data } }] }] };
    const [prefix] = requestDiagnostics(NATIVE_IMAGE, body);
    expect(prefix?.message).toBe('must be without the prefix of a data URI');
  });

  it('hands over the bytes of its pictures, each with its path', () => {
    const parts = [{ text: 'a' }, { inlineData }, { inlineData: { ...inlineData, data: '/w==' } }];
    expect(NATIVE_IMAGE.media.flatMap(({ items }) => items({ contents: [{ parts }] } as never))).toEqual([
      { path: 'contents[0].parts[1].inlineData.data', source: 'data:image/png;base64,AQID' },
      { path: 'contents[0].parts[2].inlineData.data', source: 'data:image/png;base64,/w==' },
    ]);
  });
});

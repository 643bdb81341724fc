import { ASSET_VIDEO, DEDICATED_VIDEO, FLAT_VIDEO, NESTED_VIDEO } from '../../../src/wire/index.ts';
import { every } from './row-cases.ts';
import { describeRows } from './rows.ts';

const root = { model: 'some-video', prompt: 'a red cube' };
const native = { model: 'some-video', metadata: { input: { prompt: 'a red cube' }, parameters: { seconds: 5 } } };
const OTHER = { 'metadata.some_field_that_is_not_shown': { a: [1] } };

const noObject = (field: string) => every(['x', 7, [], null], (value) => [{ [field]: value }, field] as const);

describeRows('Request structure per video family', [
  {
    title: 'Asset-style families: root `model`, `prompt`, `asset`; every provider field inside one `metadata` object',
    family: ASSET_VIDEO,
    base: root,
    accepts: [{ asset: true }, { asset: false }, { metadata: {} }, OTHER],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
      [{ prompt: undefined }, 'prompt'],
      [{ asset: 'true' }, 'asset'],
      [{ content: [], resolution: '480p' }, ['content', 'resolution']],
      ...noObject('metadata'),
    ],
  },
  {
    title:
      'Flat-metadata family: root `model`, `prompt`; flat `metadata.durationSeconds`, `metadata.aspectRatio`, and similar',
    family: FLAT_VIDEO,
    base: root,
    accepts: [
      { metadata: {} },
      { metadata: { durationSeconds: 8, aspectRatio: '16:9', seed: 1, sampleCount: null, tags: ['a'] } },
      { metadata: { durationSeconds: '8' } },
    ],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ prompt: undefined }, 'prompt'],
      [{ 'metadata.durationSeconds': true }, 'metadata.durationSeconds'],
      [{ 'metadata.aspectRatio': 1.5 }, 'metadata.aspectRatio'],
      [{ 'metadata.parameters': { durationSeconds: 8 } }, 'metadata.parameters'],
      [{ durationSeconds: 8, aspectRatio: '16:9' }, ['durationSeconds', 'aspectRatio']],
      ...noObject('metadata'),
    ],
  },
  {
    title: 'Native-nested family: root `model`; native `input` and `parameters` nested inside `metadata`',
    family: NESTED_VIDEO,
    base: native,
    accepts: [{ 'metadata.parameters': undefined }, { 'metadata.input': {} }, OTHER, { prompt: 'x' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ metadata: undefined }, 'metadata'],
      [{ 'metadata.input': undefined }, 'metadata.input'],
      [{ input: { prompt: 'x' } }, 'input'],
      [{ parameters: { seconds: 5 } }, 'parameters'],
      ...noObject('metadata'),
      ...noObject('metadata.input'),
      ...noObject('metadata.parameters'),
    ],
  },
  {
    title: 'Dedicated family: has its own request fields; the flat-metadata fields are not reused',
    family: DEDICATED_VIDEO,
    base: { model: 'some-video' },
    accepts: [root, { anything: { a: [1] } }, OTHER, { metadata: null }, { metadata: 'x' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
      [{ 'metadata.durationSeconds': 8 }, 'metadata.durationSeconds'],
      [{ 'metadata.aspectRatio': '16:9' }, 'metadata.aspectRatio'],
    ],
  },
]);

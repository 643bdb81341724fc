import { expect, it } from 'vitest';
import { type AnyFamily, FAMILIES, findFamily } from '../../../src/wire/index.ts';

const text = { type: 'text', text: 'a red cube' };
const image = { name: 'a.png', bytes: new Uint8Array([1]) };
const alpha = { model: 'alpha-image-2', prompt: 'a red cube' };
const ALPHA = {
  n: 1,
  size: 'auto',
  quality: 'auto',
  background: 'auto',
  output_format: 'png',
  output_compression: 100,
  stream: false,
};
const beta = { model: 'beta-imagine-image-2.0', prompt: 'a red cube' };
const BETA = { n: 1, resolution: '1k', quality: 'auto', response_format: 'url' };
const gamma = {
  model: 'gamma-image-2.0',
  input: { messages: [{ role: 'user', content: [{ text: 'a red cube' }] }] },
  parameters: {},
};
const epsilon = { model: 'epsilon-video-2-0-260128', prompt: 'a red cube', metadata: { content: [text] } };
const EPSILON = {
  resolution: '720p',
  ratio: 'adaptive',
  generate_audio: true,
  watermark: false,
  return_last_frame: false,
  execution_expires_after: 172_800,
  priority: 0,
};
const source = { url: 'https://example.com/a.png' };

it.each<[AnyFamily['id'], object, object]>([
  ['alpha-image', alpha, { ...alpha, ...ALPHA, moderation: 'auto' }],
  ['alpha-edit', { ...alpha, image: [image] }, { ...alpha, ...ALPHA, image: [image] }],
  ['beta-image', beta, { ...beta, ...BETA }],
  ['beta-edit', { ...beta, image: source }, { ...beta, ...BETA, image: source }],
  ['gamma-image', gamma, { ...gamma, parameters: { n: 1, prompt_extend: true, watermark: false } }],
  ['epsilon-video', epsilon, { ...epsilon, metadata: { ...epsilon.metadata, ...EPSILON } }],
])('What is not sent to family %s has the defaults of the contract', (id, body, whole) => {
  expect(findFamily(id).body.parse(body)).toEqual(whole);
});

it('A one-letter model name belongs to no family', () => {
  const named = FAMILIES.map(({ body }) => body.safeParse({ model: 'm' }).error?.issues.map(({ path }) => path[0]));
  expect(named.flat()).not.toContain('model');
});

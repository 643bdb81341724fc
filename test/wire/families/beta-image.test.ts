import { expect, it } from 'vitest';
import { BETA_IMAGE, BETA_MODELS, tryFindFamily } from '../../../src/wire/index.ts';
import { BETA_ROWS } from './beta-rows.ts';
import { describeRows } from './rows.ts';

const base = { model: 'beta-imagine-image-2.0', prompt: 'a red cube' };

describeRows(
  'Image generation, family beta',
  BETA_ROWS.map((shared) => ({ family: BETA_IMAGE, base, ...shared })),
);

it('Image generation and editing know the three models of family beta, and whatever else begins so', () => {
  const known = ['beta-imagine-image-2.0', 'beta-imagine-image-quality', 'beta-imagine-image'];
  expect(Object.keys(BETA_MODELS)).toEqual(known);
  for (const model of [...known, 'beta-imagine-image-9']) {
    expect(tryFindFamily('generateImages', model)?.id).toBe('beta-image');
    expect(tryFindFamily('editImages', model)?.id).toBe('beta-edit');
  }
  expect(tryFindFamily('generateImages', 'beta-other')).toBeUndefined();
});

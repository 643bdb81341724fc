import { expect, it } from 'vitest';
import { ALPHA_IMAGE, ALPHA_MODELS, tryFindFamily } from '../../../src/wire/index.ts';
import { ALPHA_ROWS } from './alpha-rows.ts';
import { describeRows } from './rows.ts';

const row = { family: ALPHA_IMAGE, base: { model: 'alpha-image-2', prompt: 'a red cube' } };

describeRows('Image generation, family alpha', [
  ...ALPHA_ROWS.map((shared) => ({ ...row, ...shared })),
  {
    title: '`moderation`: `auto` or `low`',
    ...row,
    accepts: [{ moderation: 'auto' }, { moderation: 'low' }],
    refuses: [
      [{ moderation: 'high' }, 'moderation'],
      [{ moderation: false }, 'moderation'],
    ],
  },
]);

it('Image generation and editing know the three models of family alpha, and whatever else begins so', () => {
  expect(Object.keys(ALPHA_MODELS)).toEqual(['alpha-image-2', 'alpha-image-1.5', 'alpha-image-1']);
  for (const model of [...Object.keys(ALPHA_MODELS), 'alpha-image-9']) {
    expect(tryFindFamily('generateImages', model)?.id).toBe('alpha-image');
    expect(tryFindFamily('editImages', model)?.id).toBe('alpha-edit');
  }
  expect(tryFindFamily('generateImages', 'alpha')).toBeUndefined();
});

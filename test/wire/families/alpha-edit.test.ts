import { ALPHA_EDIT, type KnownMedia, MEGABYTE } from '../../../src/wire/index.ts';
import { ALPHA_ROWS } from './alpha-rows.ts';
import { describeRows } from './rows.ts';

const file = { name: 'a.png', bytes: new Uint8Array([1]) };
const files = (count: number) => Array.from({ length: count }, () => file);
const row = { family: ALPHA_EDIT, base: { model: 'alpha-image-1', prompt: 'make it blue', image: [file] } };

const picture = (format: string, bytes = 100, [width, height] = [64, 32]): KnownMedia => ({
  kind: 'image',
  format,
  bytes,
  width,
  height,
});
const known = (files: Readonly<Record<string, KnownMedia>>) => ({ files });

describeRows('Image editing, family alpha', [
  ...ALPHA_ROWS.map((shared) => ({ ...row, ...shared })),
  {
    title: '`image`: file or file[], required, up to 16 images',
    ...row,
    accepts: [{ image: files(1) }, { image: files(16) }],
    refuses: [
      [{ image: undefined }, 'image'],
      [{ image: [] }, 'image'],
      [{ image: files(17) }, 'image'],
      [{ image: file }, 'image'],
      [{ image: 'https://example.com/a.png' }, 'image'],
      [{ image: [{ url: 'https://example.com/a.png' }] }, 'image[0]'],
      [{ image: [file, { bytes: 'AAAA' }] }, 'image[1]'],
    ],
  },
  {
    title: '`image`: PNG, JPEG, WebP',
    ...row,
    accepts: [
      [{}, known({ 'image[0]': picture('png') })],
      [{}, known({ 'image[0]': picture('jpeg') })],
      [{}, known({ 'image[0]': picture('webp') })],
    ],
    refuses: [
      [{}, 'image[0]', known({ 'image[0]': picture('gif') })],
      [{}, 'image[0]', known({ 'image[0]': 'unreadable' })],
      [{ image: files(2) }, 'image[1]', known({ 'image[0]': picture('png'), 'image[1]': picture('bmp') })],
      [{}, 'image[0]', known({ 'image[0]': { kind: 'video', format: 'mp4', bytes: 9 } })],
    ],
  },
  {
    title: '`image`: each under 50 MB',
    ...row,
    accepts: [
      [{}, known({ 'image[0]': picture('png', 50 * MEGABYTE - 1) })],
      [
        { image: files(2) },
        known({ 'image[0]': picture('png', 50 * MEGABYTE - 1), 'image[1]': picture('png', 50 * MEGABYTE - 1) }),
      ],
    ],
    refuses: [
      [{}, 'image[0]', known({ 'image[0]': picture('png', 50 * MEGABYTE) })],
      [{}, 'image[0]', known({ 'image[0]': picture('webp', 50 * MEGABYTE + 1) })],
    ],
  },
  {
    title: '`mask`: file, PNG under 4 MB',
    ...row,
    accepts: [{ mask: undefined }, { mask: file }, [{ mask: file }, known({ mask: picture('png', 4 * MEGABYTE - 1) })]],
    refuses: [
      [{ mask: [file] }, 'mask'],
      [{ mask: 'a.png' }, 'mask'],
      [{ mask: file }, 'mask', known({ mask: picture('png', 4 * MEGABYTE) })],
      [{ mask: file }, 'mask', known({ mask: picture('jpeg') })],
      [{ mask: file }, 'mask', known({ mask: picture('webp') })],
      [{ mask: file }, 'mask', known({ mask: 'unreadable' })],
    ],
  },
  {
    title: '`mask`: same pixel dimensions as the first source image, and the first only',
    ...row,
    accepts: [
      [{ mask: file }, known({ mask: picture('png'), 'image[0]': picture('jpeg') })],
      [
        { mask: file, image: files(2) },
        known({ mask: picture('png'), 'image[0]': picture('png'), 'image[1]': picture('png', 1, [9, 9]) }),
      ],
      [{ mask: file }, known({ mask: picture('png'), 'image[0]': undefined })],
    ],
    refuses: [
      [{ mask: file }, 'mask', known({ mask: picture('png', 1, [65, 32]), 'image[0]': picture('png') })],
      [{ mask: file }, 'mask', known({ mask: picture('png', 1, [64, 31]), 'image[0]': picture('png') })],
      [
        { mask: file, image: files(2) },
        'mask',
        known({ mask: picture('png', 1, [9, 9]), 'image[0]': picture('png'), 'image[1]': picture('png', 1, [9, 9]) }),
      ],
    ],
  },
  {
    title: '`input_fidelity`: `high` or `low` for `alpha-image-1` and `alpha-image-1.5`; omit for `alpha-image-2`',
    ...row,
    accepts: [
      { input_fidelity: 'high' },
      { input_fidelity: 'low' },
      { input_fidelity: 'high', model: 'alpha-image-1.5' },
      { input_fidelity: 'low', model: 'alpha-image-1.5' },
      { input_fidelity: 'low', model: 'alpha-image-9' },
      { model: 'alpha-image-2' },
    ],
    refuses: [
      [{ input_fidelity: 'auto' }, 'input_fidelity'],
      [{ input_fidelity: 'medium' }, 'input_fidelity'],
      [{ input_fidelity: 'high', model: 'alpha-image-2' }, 'input_fidelity'],
      [{ input_fidelity: 'low', model: 'alpha-image-2' }, 'input_fidelity'],
    ],
  },
  {
    title: 'a top-level `images` array is not a field of this request; `moderation`, which is not listed, passes',
    ...row,
    accepts: [{ moderation: 'low' }],
    refuses: [
      [{ images: [file] }, 'images'],
      [{ images: [] }, 'images'],
    ],
  },
]);

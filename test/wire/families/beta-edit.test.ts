import { BETA_EDIT, type KnownMedia } from '../../../src/wire/index.ts';
import { BETA_ROWS } from './beta-rows.ts';
import { describeRows } from './rows.ts';

const url = 'https://example.com/a.png';
const image = { url };
const images = (count: number) => Array.from({ length: count }, () => image);
const row = { family: BETA_EDIT, base: { model: 'beta-imagine-image-2.0', prompt: 'make it blue', image } };
const several = { ...row, base: { model: 'beta-imagine-image-2.0', prompt: 'make it blue', images: [image] } };

const picture = (format: string): KnownMedia => ({ kind: 'image', format, bytes: 1 });
const uri = (mediaType: string): string => `data:${mediaType};base64,AQID`;

const GOOD_URLS = [
  'http://example.com/a',
  'HTTPS://example.com/a.png?x=1',
  uri('image/jpeg'),
  uri('image/png'),
  uri('image/webp'),
  uri('image/jpg'),
  uri('IMAGE/PNG'),
];
const BAD_URLS = [
  '',
  'a.png',
  '/a.png',
  'ftp://example.com/a.png',
  'file:///a.png',
  'http://',
  'https://exa mple.com',
  uri('image/gif'),
  uri('image/bmp'),
  uri('video/mp4'),
  'data:image/png,AQID',
  'data:image/png;base64,A',
  'data:image/png;base64,$$$$',
  'AQID',
];

describeRows('Image editing, family beta', [
  ...BETA_ROWS.map((shared) => ({ ...row, ...shared })),
  {
    title: '`image`: object, one of `image` or `images`: `url` or `file_id`; not together with `images`',
    ...row,
    accepts: [{ image: { url } }, { image: { file_id: 'file-1' } }],
    refuses: [
      [{ image: undefined }, 'image'],
      [{ images: [image] }, 'images'],
      [{ image: {} }, 'image'],
      [{ image: url }, 'image'],
      [{ image: [image] }, 'image'],
    ],
  },
  {
    title: '`images`: object[], mutually exclusive with `image`, up to five on `beta-imagine-image-2.0`',
    ...several,
    accepts: [
      { images: images(1) },
      { images: images(5) },
      { images: [image, { file_id: 'file-1' }] },
      { images: images(6), model: 'beta-imagine-image' },
      { images: images(6), model: 'beta-imagine-image-quality' },
      { images: images(6), model: 'beta-imagine-image-9' },
    ],
    refuses: [
      [{ images: [] }, 'images'],
      [{ images: images(6) }, 'images'],
      [{ images: undefined }, 'image'],
      [{ image }, 'images'],
      [{ images: image }, 'images'],
      [{ images: [image, {}] }, 'images[1]'],
      [{ images: [url] }, 'images[0]'],
    ],
  },
  {
    title: '`image.url`: public URL or Base64 data URI of a JPEG, PNG or WebP image; exclusive with `file_id`',
    ...row,
    accepts: [
      { image: { url } },
      ...GOOD_URLS.map((good) => ({ image: { url: good } })),
      [{}, { files: { 'image.url': picture('jpeg') } }],
      [{}, { files: { 'image.url': picture('png') } }],
      [{}, { files: { 'image.url': picture('webp') } }],
    ],
    refuses: [
      [{ image: { url, file_id: 'file-1' } }, 'image'],
      ...BAD_URLS.map((bad) => [{ image: { url: bad } }, 'image.url'] as const),
      [{}, 'image.url', { files: { 'image.url': picture('gif') } }],
      [{}, 'image.url', { files: { 'image.url': 'unreadable' } }],
    ],
  },
  {
    title: '`images[].url`: public URL or Base64 data URI of a JPEG, PNG or WebP image; exclusive with `file_id`',
    ...several,
    accepts: [
      { images: GOOD_URLS.slice(0, 5).map((good) => ({ url: good })) },
      [{ images: images(2) }, { files: { 'images[0].url': picture('jpeg'), 'images[1].url': picture('webp') } }],
    ],
    refuses: [
      [{ images: [image, { url, file_id: 'file-1' }] }, 'images[1]'],
      ...BAD_URLS.map((bad) => [{ images: [image, { url: bad }] }, 'images[1].url'] as const),
      [{ images: images(2) }, 'images[1].url', { files: { 'images[1].url': picture('tiff') } }],
      [{}, 'images[0].url', { files: { 'images[0].url': 'unreadable' } }],
    ],
  },
  {
    title: '`image.file_id`, `images[].file_id`: ID of an uploaded image',
    ...several,
    accepts: [{ images: [{ file_id: 'f' }] }, { images: undefined, image: { file_id: 'f' } }],
    refuses: [
      [{ images: [{ file_id: '' }] }, 'images[0].file_id'],
      [{ images: [{ file_id: 7 }] }, 'images[0].file_id'],
      [{ images: undefined, image: { file_id: '' } }, 'image.file_id'],
    ],
  },
]);

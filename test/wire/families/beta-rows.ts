import { type Accepted, every, type Rejected, type SharedRow } from './row-cases.ts';

const RATIOS = ['auto', '1:1', '3:4', '4:3', '9:16', '16:9', '2:3', '3:2'];
const LONG_RATIOS = ['9:19.5', '19.5:9', '9:20', '20:9', '1:2', '2:1'];
const NEW_RATIOS = ['21:9', '5:2'];
const EARLIER = ['beta-imagine-image-quality', 'beta-imagine-image'];

const stored = (options: object): Accepted => ({ storage_options: { filename: 'a.png', ...options } });
const FILE_EXPIRY = 'storage_options.expires_after';
const URL_EXPIRY = 'storage_options.public_url.expires_after';

/** The rows that generation and editing of family beta have in common: “same fields as family beta generation”. */
export const BETA_ROWS: readonly SharedRow[] = [
  {
    title: '`model`: string, required',
    accepts: every([...EARLIER, 'beta-imagine-video-3'], (model) => ({ model })),
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
    ],
  },
  {
    title: '`prompt`: string, required',
    accepts: [{ prompt: 'x' }, { prompt: 'x'.repeat(40_000) }],
    refuses: [
      [{ prompt: undefined }, 'prompt'],
      [{ prompt: '' }, 'prompt'],
      [{ prompt: 1 }, 'prompt'],
    ],
  },
  {
    title: '`n`: integer, 1-10',
    accepts: [{ n: 1 }, { n: 10 }],
    refuses: [
      [{ n: 0 }, 'n'],
      [{ n: 11 }, 'n'],
      [{ n: 2.5 }, 'n'],
    ],
  },
  {
    title: '`aspect_ratio`: sixteen values, `21:9` and `5:2` only on `beta-imagine-image-2.0`',
    accepts: [
      ...every([...RATIOS, ...LONG_RATIOS, ...NEW_RATIOS], (ratio) => ({ aspect_ratio: ratio })),
      ...EARLIER.flatMap((model) => [...RATIOS, ...LONG_RATIOS].map((ratio) => ({ model, aspect_ratio: ratio }))),
      ...every(NEW_RATIOS, (ratio) => ({ model: 'beta-imagine-image-9', aspect_ratio: ratio })),
    ],
    refuses: [
      ...every(['2:5', '9:21', '16x9', 'AUTO', ''], (ratio): Rejected => [{ aspect_ratio: ratio }, 'aspect_ratio']),
      ...EARLIER.flatMap((model) =>
        every(NEW_RATIOS, (ratio): Rejected => [{ model, aspect_ratio: ratio }, 'aspect_ratio']),
      ),
    ],
  },
  {
    title: '`resolution`: `1k` or `2k`, lowercase k',
    accepts: [{ resolution: '1k' }, { resolution: '2k' }],
    refuses: every(['1K', '2K', '4k', 1024], (resolution) => [{ resolution }, 'resolution']),
  },
  {
    title: '`quality`: `low`, `medium`, `auto`, `beta-imagine-image-2.0` only; earlier models must not receive it',
    accepts: [
      ...every(['low', 'medium', 'auto'], (quality): Accepted => ({ quality })),
      { model: 'beta-imagine-image-9', quality: 'low' },
    ],
    refuses: [
      [{ quality: 'high' }, 'quality'],
      ...EARLIER.flatMap((model) =>
        every(['low', 'medium', 'auto'], (quality): Rejected => [{ model, quality }, 'quality']),
      ),
    ],
  },
  {
    title: '`response_format`: `url` or `b64_json`',
    accepts: [{ response_format: 'url' }, { response_format: 'b64_json' }],
    refuses: [[{ response_format: 'png' }, 'response_format']],
  },
  {
    title: '`user`: string',
    accepts: [{ user: 'u-1' }],
    refuses: [[{ user: {} }, 'user']],
  },
  {
    title: '`storage_options`: object; `storage_options.filename` is required when it is sent',
    accepts: [stored({}), stored({ filename: 'x' })],
    refuses: [
      [{ storage_options: {} }, 'storage_options.filename'],
      [{ storage_options: { expires_after: 3600 } }, 'storage_options.filename'],
      [{ storage_options: { filename: '' } }, 'storage_options.filename'],
      [{ storage_options: true }, 'storage_options'],
    ],
  },
  {
    title: '`storage_options.expires_after`: integer, 3600-2592000 seconds',
    accepts: [stored({ expires_after: 3600 }), stored({ expires_after: 2_592_000 })],
    refuses: every([3599, 2_592_001, 3600.5, '3600'], (seconds) => [
      { storage_options: { filename: 'a', expires_after: seconds } },
      FILE_EXPIRY,
    ]),
  },
  {
    title: '`storage_options.public_url`: boolean or object',
    accepts: [stored({ public_url: true }), stored({ public_url: false }), stored({ public_url: {} })],
    refuses: every(['yes', 1, null], (value) => [
      { storage_options: { filename: 'a', public_url: value } },
      'storage_options.public_url',
    ]),
  },
  {
    title:
      '`storage_options.public_url.expires_after`: integer, 3600-2592000 seconds, not beyond a configured file expiry',
    accepts: [
      stored({ public_url: { expires_after: 3600 } }),
      stored({ public_url: { expires_after: 2_592_000 } }),
      stored({ expires_after: 7200, public_url: { expires_after: 7200 } }),
      stored({ expires_after: 7200, public_url: { expires_after: 7199 } }),
      stored({ expires_after: 7200, public_url: true }),
    ],
    refuses: [
      ...every(
        [3599, 2_592_001, 3600.5],
        (seconds): Rejected => [
          { storage_options: { filename: 'a', public_url: { expires_after: seconds } } },
          URL_EXPIRY,
        ],
      ),
      [{ storage_options: { filename: 'a', expires_after: 7200, public_url: { expires_after: 7201 } } }, URL_EXPIRY],
    ],
  },
  {
    title: '`size` is not used by this family',
    accepts: [{ some_field_that_is_not_shown: 1 }, { size: '1024x1024' }, { size: 'auto' }],
    refuses: [[{ size: '1024x1024', n: 0 }, 'n']],
  },
];

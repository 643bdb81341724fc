import { type Accepted, every, type Rejected, type SharedRow } from './row-cases.ts';

const text = (length: number): string => 'x'.repeat(length);
const sizes = (model: string, values: readonly string[]) => every(values, (size): Accepted => ({ model, size }));
const noSizes = (model: string, values: readonly string[]) =>
  every(values, (size): Rejected => [{ model, size }, 'size']);

const THREE = ['auto', '1024x1024', '1536x1024', '1024x1536'];
/** On the bound, each: 655360 and 8294400 pixels, an edge of 3840, 3:1 both ways. */
const FLEXIBLE = ['auto', '1024x640', '640x1024', '3840x2160', '2160x3840', '3840x1280', '1280x3840', '1024x1024'];
/** One step of 16 beyond, each: pixels, edge, ratio; then edges that 16 does not divide. */
const BEYOND = [
  '1008x640',
  '1024x624',
  '3840x2176',
  '3856x2144',
  '2144x3856',
  '3840x1264',
  '1264x3840',
  '1025x1024',
  '1024x1032',
];

/** The rows that generation and editing of family alpha have in common: “same as family alpha generation”. */
export const ALPHA_ROWS: readonly SharedRow[] = [
  {
    title: '`model`: string, required',
    accepts: [{ model: 'alpha-image-1.5' }, { model: 'alpha-image-1' }, { model: 'alpha-image-3' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
      [{ model: 2 }, 'model'],
    ],
  },
  {
    title: '`prompt`: string, required, at most 32000 characters',
    accepts: [{ prompt: text(1) }, { prompt: text(32_000) }, { prompt: '🦊'.repeat(32_000) }],
    refuses: [
      [{ prompt: undefined }, 'prompt'],
      [{ prompt: '' }, 'prompt'],
      [{ prompt: text(32_001) }, 'prompt'],
      [{ prompt: ['a'] }, 'prompt'],
    ],
  },
  {
    title: '`n`: integer, 1-10',
    accepts: [{ n: 1 }, { n: 10 }],
    refuses: [
      [{ n: 0 }, 'n'],
      [{ n: 11 }, 'n'],
      [{ n: 1.5 }, 'n'],
      [{ n: '1' }, 'n'],
    ],
  },
  {
    title: '`size`: `auto`, `1024x1024`, `1536x1024`, `1024x1536` for `alpha-image-1` and `alpha-image-1.5`',
    accepts: [...sizes('alpha-image-1', THREE), ...sizes('alpha-image-1.5', THREE)],
    refuses: [
      ...noSizes('alpha-image-1', ['1536x1536', '1024x640', '512x512', 'AUTO', '']),
      ...noSizes('alpha-image-1.5', ['1536x1536', '1024x640', '512x512', 'AUTO', '']),
    ],
  },
  {
    title:
      '`size` of `alpha-image-2`: `auto` or `<W>x<H>`, edges divisible by 16 and at most 3840, at most 3:1, 655360-8294400 pixels',
    accepts: sizes('alpha-image-2', FLEXIBLE),
    refuses: noSizes('alpha-image-2', [
      ...BEYOND,
      '1024*1024',
      '1024X1024',
      '1024x',
      'x1024',
      '1024',
      '0x0',
      '1e3x1024',
    ]),
  },
  {
    title: '`size` of a model that the contract does not list: only its form is judged',
    accepts: sizes('alpha-image-3', [...THREE, ...BEYOND]),
    refuses: noSizes('alpha-image-3', ['1024*1024', 'large', '0x16', '016x016']),
  },
  {
    title: '`quality`: `low`, `medium`, `high`, `auto`',
    accepts: every(['low', 'medium', 'high', 'auto'], (quality) => ({ quality })),
    refuses: [
      [{ quality: 'hd' }, 'quality'],
      [{ quality: 'High' }, 'quality'],
    ],
  },
  {
    title: '`background`: `auto`, `opaque`, `transparent`; transparency needs PNG or WebP',
    accepts: [
      { background: 'auto', output_format: 'jpeg' },
      { background: 'opaque', output_format: 'jpeg' },
      { background: 'transparent' },
      { background: 'transparent', output_format: 'png' },
      { background: 'transparent', output_format: 'webp' },
    ],
    refuses: [
      [{ background: 'transparent', output_format: 'jpeg' }, 'background'],
      [{ background: 'white' }, 'background'],
    ],
  },
  {
    title: '`output_format`: `png`, `jpeg`, `webp`',
    accepts: every(['png', 'jpeg', 'webp'], (format) => ({ output_format: format })),
    refuses: [
      [{ output_format: 'jpg' }, 'output_format'],
      [{ output_format: 'PNG' }, 'output_format'],
    ],
  },
  {
    title: '`output_compression`: integer, 0-100, only for JPEG or WebP',
    accepts: [
      { output_compression: 0, output_format: 'jpeg' },
      { output_compression: 100, output_format: 'jpeg' },
      { output_compression: 0, output_format: 'webp' },
      { output_compression: 100, output_format: 'webp' },
    ],
    refuses: [
      [{ output_compression: -1, output_format: 'jpeg' }, 'output_compression'],
      [{ output_compression: 101, output_format: 'webp' }, 'output_compression'],
      [{ output_compression: 50.5, output_format: 'jpeg' }, 'output_compression'],
      [{ output_compression: 50, output_format: 'png' }, 'output_compression'],
      [{ output_compression: 100 }, 'output_compression'],
    ],
  },
  {
    title: '`stream`: boolean',
    accepts: [{ stream: true }, { stream: false }],
    refuses: [
      [{ stream: 'true' }, 'stream'],
      [{ stream: 1 }, 'stream'],
    ],
  },
  {
    title: '`partial_images`: integer, streaming only, 0-3',
    accepts: [
      { stream: true, partial_images: 0 },
      { stream: true, partial_images: 3 },
    ],
    refuses: [
      [{ stream: true, partial_images: -1 }, 'partial_images'],
      [{ stream: true, partial_images: 4 }, 'partial_images'],
      [{ stream: true, partial_images: 1.5 }, 'partial_images'],
      [{ stream: false, partial_images: 1 }, 'partial_images'],
      [{ partial_images: 0 }, 'partial_images'],
    ],
  },
  {
    title: '`user`: string',
    accepts: [{ user: 'u' }, { user: '' }],
    refuses: [[{ user: 7 }, 'user']],
  },
  {
    title: '`response_format` and `style` must not be sent',
    accepts: [{ some_field_that_is_not_shown: 1 }],
    refuses: [
      [{ response_format: 'b64_json' }, 'response_format'],
      [{ response_format: 'url' }, 'response_format'],
      [{ style: 'vivid' }, 'style'],
    ],
  },
];

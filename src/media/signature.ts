import { viewOf, wordAt } from './byte-view.ts';

/** Brands of the ISO base media format that are pictures. Any other is a film, or sound. */
const PICTURE_BRANDS: Readonly<Record<string, string>> = {
  heic: 'heic',
  heix: 'heic',
  heim: 'heic',
  heis: 'heic',
  hevc: 'heic',
  hevx: 'heic',
  mif1: 'heif',
  msf1: 'heif',
  avif: 'avif',
  avis: 'avif',
};

function formatOfBoxes(view: DataView): string | undefined {
  if (wordAt(view, 4) !== 'ftyp') return undefined;
  const brand = wordAt(view, 8);
  return PICTURE_BRANDS[brand] ?? (brand === 'qt  ' ? 'mov' : 'mp4');
}

const FORMATS_OF_RIFF: Readonly<Record<string, string>> = { WEBP: 'webp', WAVE: 'wav' };

const isMp3 = (view: DataView): boolean =>
  wordAt(view, 0, 3) === 'ID3' || (view.getUint8(0) === 0xff && (view.getUint8(1) & 0xe6) === 0xe2);

/** The first four bytes, as Latin-1. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG$/, 'png'],
  [/^\xff\xd8\xff/, 'jpeg'],
  [/^GIF8$/, 'gif'],
  [/^BM/, 'bmp'],
  [/^(?:II\*\0|MM\0\*)$/, 'tiff'],
];

/** What a file claims to be, from its first bytes; undefined: nothing that we can read. Never from its name. */
export function tryFormatOf(bytes: Uint8Array): string | undefined {
  if (bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  const first = wordAt(view, 0);
  if (first === 'RIFF') return FORMATS_OF_RIFF[wordAt(view, 8)];
  const signed = SIGNATURES.find(([pattern]) => pattern.test(first))?.[1];
  return signed ?? formatOfBoxes(view) ?? (isMp3(view) ? 'mp3' : undefined);
}

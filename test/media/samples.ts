import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 90, b: 30 } } });

/** A picture, really encoded. */
export async function picture(
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif',
  { width = 64, height = 48, orientation }: { width?: number; height?: number; orientation?: number } = {},
): Promise<Uint8Array> {
  const made = plain(width, height).toFormat(format);
  return new Uint8Array(await (orientation === undefined ? made : made.withMetadata({ orientation })).toBuffer());
}

/** 24 bits a pixel, as most programs write it. */
export function bmp(width: number, height: number): Uint8Array {
  const stride = Math.floor((width * 24 + 31) / 32) * 4;
  const bytes = new Uint8Array(54 + stride * Math.abs(height));
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  return bytes;
}

/** The older header, whose numbers have two bytes. */
export function coreBmp(width: number, height: number): Uint8Array {
  const bytes = new Uint8Array(26 + Math.floor((width * 24 + 31) / 32) * 4 * height);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(10, 26, true);
  view.setUint32(14, 12, true);
  view.setUint16(18, width, true);
  view.setUint16(20, height, true);
  view.setUint16(22, 1, true);
  view.setUint16(24, 24, true);
  return bytes;
}

/** Mono, 16 bits, 8000 samples a second. */
export function wav(seconds: number): Uint8Array {
  const length = Math.round(seconds * 8000) * 2;
  const bytes = Buffer.alloc(44 + length);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + length, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(length, 40);
  return new Uint8Array(bytes);
}

export function box(type: string, ...contents: (Uint8Array | readonly number[])[]): Uint8Array {
  const content = Buffer.concat(contents.map((part) => Uint8Array.from(part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return new Uint8Array(Buffer.concat([head, content]));
}

export const uint32 = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return new Uint8Array(bytes);
};

const brand = (name: string) => Buffer.from(name, 'latin1');

/**
 * The head of a HEIC: a thumbnail and the picture itself, of which the second is the primary one, each with its own
 * properties. There are no pixels in it, which nothing asks for.
 */
export function heic({
  major = 'heic',
  width = 4000,
  height = 3000,
  quarterTurns = 0,
  crop,
}: {
  major?: string;
  width?: number;
  height?: number;
  quarterTurns?: number;
  crop?: readonly [number, number];
} = {}) {
  const properties = [
    box('ispe', uint32(0, 160, 120)),
    box('ispe', uint32(0, width, height)),
    ...(crop ? [box('clap', uint32(crop[0], 1, crop[1], 1, 0, 1, 0, 1))] : []),
    box('irot', [quarterTurns]),
  ];
  const own = properties.slice(1).map((_, index) => 0x80 | (index + 2));
  const associations = box('ipma', uint32(0, 2), [0, 1, 1, 0x81], [0, 2, own.length, ...own]);
  return new Uint8Array(
    Buffer.concat([
      box('ftyp', brand(major), uint32(0), brand('mif1'), brand('heic')),
      box('meta', uint32(0), box('pitm', uint32(0), [0, 2]), box('iprp', box('ipco', ...properties), associations)),
      box('mdat', new Uint8Array(64)),
    ]),
  );
}

export const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

/** A file that ffmpeg makes of a test picture and a tone. */
export function encoded(name: string, options: readonly string[]): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'keyplane-media-'));
  try {
    const file = join(folder, name);
    execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...options, file]);
    return new Uint8Array(readFileSync(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const picturesOf = (size: string, rate: string, seconds: number): readonly string[] => [
  ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=${rate}:duration=${seconds}`],
];
export const toneOf = (seconds: number): readonly string[] => ['-f', 'lavfi', '-i', `sine=duration=${seconds}`];

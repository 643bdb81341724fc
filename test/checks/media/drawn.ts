import sharp, { type Sharp } from 'sharp';

/** A disc on sand: plainly not of one colour. */
export const drawing = (width: number, height: number, colour = '#2a6f97'): Sharp =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f4e3c1"/><circle cx="40%" cy="50%" r="30%" fill="${colour}"/></svg>`,
    ),
  ).removeAlpha();

export const drawn = async (width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png', colour?: string) =>
  new Uint8Array(await drawing(width, height, colour).toFormat(format).toBuffer());

export const flat = async (width: number, height: number) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: '#808080' } })
      .png()
      .toBuffer(),
  );

import type { PixelSize } from '../../wire/index.ts';

/** Exif orientations 5 to 8 rotate the image by a quarter turn. */
export const shownFrame = ({ width, height }: PixelSize, orientation: number | undefined): PixelSize =>
  orientation !== undefined && orientation >= 5 && orientation <= 8
    ? quarterTurned({ width, height })
    : { width, height };

export const quarterTurned = ({ width, height }: PixelSize): PixelSize => ({ width: height, height: width });

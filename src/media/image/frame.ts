/** The size of an image in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
}

/** Exif orientations 5 to 8 rotate the image by a quarter turn. */
export const shownFrame = ({ width, height }: Frame, orientation: number | undefined): Frame =>
  orientation !== undefined && orientation >= 5 && orientation <= 8 ? turned({ width, height }) : { width, height };

export const turned = ({ width, height }: Frame): Frame => ({ width: height, height: width });

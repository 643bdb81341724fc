/** Pixels of a picture. */
export interface Frame {
  readonly width: number;
  readonly height: number;
}

/** Exif's orientations 5 to 8 lay the picture on its side. */
export const shownFrame = ({ width, height }: Frame, orientation: number | undefined): Frame =>
  orientation !== undefined && orientation >= 5 && orientation <= 8 ? turned({ width, height }) : { width, height };

export const turned = ({ width, height }: Frame): Frame => ({ width: height, height: width });

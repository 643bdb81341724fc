/** The size of an image in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

function tryRead(pattern: RegExp, text: string): PixelSize | undefined {
  const [, width, height] = pattern.exec(text) ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** Parses `1536x1024` to pixels; undefined for `auto` and anything else that is not a size. */
export const tryParseSize = (text: string): PixelSize | undefined => tryRead(/^([1-9]\d{0,5})x([1-9]\d{0,5})$/, text);

/** `1664*928` in pixels, as family gamma writes it; undefined for whatever else. */
export const tryParseGammaSize = (text: string): PixelSize | undefined =>
  tryRead(/^([1-9]\d{0,5})\*([1-9]\d{0,5})$/, text);

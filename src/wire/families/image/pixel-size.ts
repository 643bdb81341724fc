interface PixelSize {
  readonly width: number;
  readonly height: number;
}

function tryRead(pattern: RegExp, text: string): PixelSize | undefined {
  const [, width, height] = pattern.exec(text) ?? [];
  return width === undefined ? undefined : { width: Number(width), height: Number(height) };
}

/** `1536x1024` in pixels; undefined for `auto` and whatever else is no size. */
export const tryParseSize = (text: string): PixelSize | undefined => tryRead(/^([1-9]\d{0,5})x([1-9]\d{0,5})$/, text);

/** `1664*928` in pixels, as family gamma writes it; undefined for whatever else. */
export const tryParseGammaSize = (text: string): PixelSize | undefined =>
  tryRead(/^([1-9]\d{0,5})\*([1-9]\d{0,5})$/, text);

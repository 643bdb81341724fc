/** Normalizes an address, so that different spellings of it are equal. Returns any other text unchanged. */
export function comparableAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:/.test(url.protocol)) return text;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

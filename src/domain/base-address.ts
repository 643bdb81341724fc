/** A gateway's base URL as it is written everywhere: no user, no query and no fragment, where secrets could be. */
export const BASE_ADDRESS = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/u;

/** Normalizes an address, so that different spellings of it are equal. Returns any other text unchanged. */
export function comparableAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return text;
  return url.origin + url.pathname.replace(/\/+$/, '');
}

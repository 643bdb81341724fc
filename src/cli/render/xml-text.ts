import { printable } from './printable.ts';

/** Only what XML 1.0 can hold; what a terminal would not show is written out. */
export const xmlText = (text: string): string =>
  printable(text).replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');

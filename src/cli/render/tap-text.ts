import { printable } from './printable.ts';

/** `#` begins a directive, and a backslash takes that from it. */
export const tapText = (text: string): string => printable(text).replace(/[\\#]/g, '\\$&');

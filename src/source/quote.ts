import { blankCredentials } from '../domain/index.ts';

const FOUND_LENGTH = 80;

export const shorten = (text: string): string =>
  text.length > FOUND_LENGTH ? `${[...text].slice(0, FOUND_LENGTH - 1).join('')}…` : text;

/** A text as a diagnostic quotes it: short, and without anything that looks like a credential. */
export const quoted = (text: string): string => shorten(JSON.stringify(blankCredentials(text)));

import { INVISIBLE } from '../../domain/index.ts';

/** Characters that editors do not show, or show as a plain space. */
const UNSEEN = new RegExp(`[\\ufffe\\uffff]|${INVISIBLE.source}`, 'gu');

/** Escapes such characters within a string of a language, by their code in hexadecimal digits. */
export const escapeUnseen = (text: string, escapeCode: (hex: string) => string): string =>
  text.replace(UNSEEN, (character) => escapeCode((character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')));

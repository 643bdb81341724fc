import { blankTraces, maskCredentials, type Secret } from '../domain/index.ts';

const MOST_SHOWN = 300;

/** A text of a server or a program in one line of at most so many characters, without credentials and without these secrets, also in part. */
export function shownText(text: string, secrets: readonly Secret[], most = MOST_SHOWN): string {
  const line = maskCredentials(blankTraces(text, secrets))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

import { BASE_ADDRESS, Fault } from '../../domain/index.ts';

function troubleOf(text: string, url: URL | undefined): string {
  if (/^(["'`]).*\1$/s.test(text)) return 'is in quotes, which are not part of it';
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'is not an http or https URL';
  if (url.username || url.password) return 'contains a user name or a password';
  if (/[?#]/.test(text)) return 'contains a query or a fragment';
  return /\s/.test(text) ? 'contains a space or a line break' : 'is not an http or https URL';
}

/**
 * The address, parsed: by the rule of the manifest, because it is written into files.
 *
 * @throws Fault `usage.invalid` when it is not the address of a gateway. The text is not repeated: it may be a secret that was
 * put into the wrong place.
 */
export function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && BASE_ADDRESS.test(text)) return url;
  throw new Fault('usage.invalid', `The gateway URL ${troubleOf(text, url)}.`, {
    hint: 'Use the base URL, such as https://gateway.example.com',
  });
}

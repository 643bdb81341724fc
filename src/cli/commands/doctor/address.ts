import { asFault, Fault } from '../../../domain/index.ts';
import { tryFindBase } from '../../../gateway/index.ts';
import { printable } from '../../output/layout/printable.ts';
import { checkUrl } from '../../session/check-url.ts';
import type { Chosen } from '../../session/chosen.ts';
import { isLoopback } from '../../session/origin.ts';
import { type DoctorResult, failed, ok, skipped, UNREAD, warning } from './result.ts';

/** Is it an address, is it the base URL, and does it keep the credentials private? */
export function examineAddress(chosen: Chosen<string> | undefined, manifest: DoctorResult): DoctorResult {
  if (chosen === undefined) {
    if (manifest.state === 'failed') return skipped('address', UNREAD);
    return failed(
      'address',
      new Fault('usage.invalid', 'No gateway was given.', {
        hint: 'Pass --url, set gateway.url in the manifest, or set KEYPLANE_URL.',
      }),
    );
  }
  let url: URL;
  try {
    url = checkUrl(chosen.value);
  } catch (thrown) {
    return failed('address', asFault(thrown));
  }
  const shown = printable(chosen.value);
  const base = tryFindBase(url);
  if (base !== undefined) {
    return failed(
      'address',
      new Fault('usage.invalid', `${shown} is not the base URL: it ends in an API path.`, {
        hint: `Use ${printable(base)} instead; Keyplane adds /api and /v1 itself.`,
      }),
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return warning(
      'address',
      `${shown} is not encrypted: others on the network can read the access token.`,
      'Use https.',
    );
  }
  return ok('address', `${shown}, from ${chosen.from}`);
}

import { Fault } from '../../domain/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { checkUrl } from './check-url.ts';
import type { Chosen } from './chosen.ts';
import { ask } from './confirm.ts';
import type { Environment } from './io.ts';
import { variable } from './variables.ts';

/** Returns whether a host is this machine itself: no name that a name server resolves. */
export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** @throws Fault `usage.invalid` for anything but an origin. It is not repeated: it may be a secret in the wrong place. */
function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:\/\/[^\s/?#@*]+\/?$/u.test(text.toLowerCase());
  if (isPlain) return url.origin;
  throw new Fault('usage.invalid', 'KEYPLANE_ALLOWED_ORIGINS contains a value that is not an origin.', {
    hint: 'Separate origins by commas, each with scheme and host: https://gateway.example.com,https://backup.example.com:8443',
  });
}

const allowedOrigins = (env: Environment): readonly string[] =>
  (variable(env, 'KEYPLANE_ALLOWED_ORIGINS') ?? '')
    .split(',')
    .map((each) => each.trim())
    .flatMap((each, _, all) => (all.length === 1 && each === '' ? [] : [parseOrigin(each)]));

/**
 * Returns whether credentials may be sent to a gateway without asking: whoever starts Keyplane has named its origin, or it is this
 * machine. A manifest alone does not decide that: it may come from a stranger.
 *
 * @throws Fault `usage.invalid`
 */
export function isTrusted({ value, source }: Chosen<string>, env: Environment): boolean {
  const allowed = allowedOrigins(env);
  const { origin, hostname } = checkUrl(value);
  return source !== 'manifest' || isLoopback(hostname) || allowed.includes(origin);
}

/**
 * Refuses to send credentials to a gateway that only the manifest names, unless a person types its host on a terminal. `--yes`
 * does not answer for that person.
 *
 * @throws Fault `settings.unconfirmed-origin`, `usage.invalid`
 */
export async function confirmOrigin(context: Context, url: Chosen<string>): Promise<void> {
  if (isTrusted(url, context.io.env)) return;
  const { origin, host } = checkUrl(url.value);
  if (context.confirmedOrigins.has(origin)) return;
  const shown = printable(origin);
  const about = `Only the manifest names the gateway ${shown}. Keyplane will send the account’s credentials there.`;
  if (await ask(context, { about, expect: printable(host) })) {
    context.confirmedOrigins.add(origin);
    return;
  }
  throw new Fault(
    'settings.unconfirmed-origin',
    `Only the manifest names the gateway ${shown}, so Keyplane does not send credentials there.`,
    { hint: `If you trust this gateway, set KEYPLANE_ALLOWED_ORIGINS=${shown}, set KEYPLANE_URL, or pass --url.` },
  );
}

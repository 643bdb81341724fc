import { Fault, type FaultCode, type Secret } from '../domain/index.ts';

/**
 * Parses the gateway's base URL into its canonical form: no trailing slash, no default port.
 * @throws Fault `usage.invalid`
 */
export function parseGatewayUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    // A text that is not a URL may be a secret in the wrong place: it is not repeated.
    throw new Fault('usage.invalid', 'The gateway’s URL is not an http or https URL.', {
      hint: 'Use its base URL, such as https://gateway.example.com.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Fault('usage.invalid', `The gateway’s URL contains a user name or a password (host ${url.host}).`, {
      hint: 'Remove them: the gateway accepts only the system access token and the user ID.',
    });
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** Paths that people append to the base URL because an example shows them. */
const APPENDED = /\/(v1|api)(\/.*)?$/;

/** The intended base URL when this one ends in a path of the API; otherwise undefined. */
export function tryFindBase({ origin, pathname }: URL): string | undefined {
  return APPENDED.test(pathname) ? origin + pathname.replace(APPENDED, '') : undefined;
}

/** Faults that a wrong path in the base URL can cause. */
const BY_PATH: ReadonlySet<FaultCode> = new Set([
  'gateway.not-json',
  'gateway.redirected',
  'gateway.refused',
  'gateway.unexpected-shape',
  'request.refused',
  'credentials.refused',
]);
const BY_STATUS: ReadonlySet<FaultCode> = new Set(['gateway.refused', 'request.refused']);

function mayBeThePath({ code, detail }: Fault): boolean {
  return BY_PATH.has(code) && (!BY_STATUS.has(code) || detail.status === 404 || detail.status === 405);
}

/** Adds a hint to the fault when the base URL is a likely cause. */
export function withAddressHint(fault: Fault, base: URL): Fault {
  const intended = mayBeThePath(fault) ? tryFindBase(base) : undefined;
  if (intended === undefined) return fault;
  const advice = `Use the base URL, without /api or /v1: ${intended}`;
  const hint = fault.code === 'credentials.refused' ? `${advice} ${fault.hint ?? ''}`.trim() : advice;
  const { remedy } = fault.code === 'credentials.refused' ? fault : {};
  return new Fault(fault.code, fault.message, { hint, remedy, detail: fault.detail, cause: fault.cause });
}

/** Renders the address for plans and messages. */
export const renderAddress = (base: URL): string => base.href.replace(/\/$/, '');

/** Builds the URL of an endpoint below the base, which may have a path of its own. */
export function endpointUrl(base: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(renderAddress(base) + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** @throws Fault `credentials.missing` when a credential is missing or malformed. */
export function checkCredentials(userId: number, accessToken: Secret): void {
  const problem =
    !Number.isSafeInteger(userId) || userId < 1 ? 'The user ID is missing or not positive.' : tokenProblem(accessToken);
  if (problem === undefined) return;
  throw new Fault('credentials.missing', problem, {
    hint: 'Both the access token and the user ID are in the account settings of the gateway, under API access.',
    remedy: 'set-credentials',
  });
}

/** Gateways issue far shorter ones. */
const MOST_CHARACTERS = 256;

function tokenProblem(accessToken: Secret): string | undefined {
  const text = accessToken.reveal();
  if (text === '') return 'The system access token is empty.';
  if (text.length > MOST_CHARACTERS) return `The system access token has more than ${MOST_CHARACTERS} characters.`;
  return /^[\x21-\x7e]+$/.test(text)
    ? undefined
    : 'The system access token contains invalid characters: white space, a line break, or non-ASCII characters.';
}

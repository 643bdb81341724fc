import { Fault, type FaultCode, type Secret } from '../domain/index.ts';

/**
 * The gateway's base address in its one canonical form: no slash at the end, no default port.
 * @throws Fault `usage.invalid`
 */
export function parseGatewayUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    // A text that is no URL may be a secret in the wrong place: it is not repeated.
    throw new Fault('usage.invalid', 'The gateway’s URL is not an http or https URL.', {
      hint: 'Write its base address, like https://gateway.example.com.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Fault('usage.invalid', `The gateway’s URL holds a user or a password (host ${url.host}).`, {
      hint: 'Leave it out: the gateway knows only the system access token and the user id.',
    });
  }
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** What people append to the base address because they read it in an example. */
const APPENDED = /\/(v1|api)(\/.*)?$/;

/** The base address that was meant, where this one ends in a path of the API; else undefined. */
export function tryFindBase({ origin, pathname }: URL): string | undefined {
  return APPENDED.test(pathname) ? origin + pathname.replace(APPENDED, '') : undefined;
}

/** Faults of a gateway, or of whatever else is there, that another path may be the reason of. */
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

/** The same fault; where the base address is a likely reason, its hint says so. */
export function besideAddress(fault: Fault, base: URL): Fault {
  const meant = mayBeThePath(fault) ? tryFindBase(base) : undefined;
  if (meant === undefined) return fault;
  const advice = `Give the base address, without /api or /v1: ${meant}`;
  const hint = fault.code === 'credentials.refused' ? `${advice} ${fault.hint ?? ''}`.trim() : advice;
  const { remedy } = fault.code === 'credentials.refused' ? fault : {};
  return new Fault(fault.code, fault.message, { hint, remedy, detail: fault.detail, cause: fault.cause });
}

/** The address as it stands in plans and messages. */
export const renderAddress = (base: URL): string => base.href.replace(/\/$/, '');

/** One endpoint's URL below the base, which may have a path of its own. */
export function endpointUrl(base: URL, path: string, query: Readonly<Record<string, string>> = {}): URL {
  const url = new URL(renderAddress(base) + path);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

const CREDENTIALS_HINT = 'Both are in the account settings of the gateway, under API access.';

/** @throws Fault `credentials.missing` when a credential is not there, or could not be one. */
export function checkCredentials(userId: number, accessToken: Secret): void {
  const problem =
    !Number.isSafeInteger(userId) || userId < 1 ? 'There is no user id above 0.' : tokenProblem(accessToken);
  if (problem) throw new Fault('credentials.missing', problem, { hint: CREDENTIALS_HINT, remedy: 'set-credentials' });
}

function tokenProblem(accessToken: Secret): string | undefined {
  const text = accessToken.reveal();
  if (text === '') return 'The system access token is empty.';
  return /^[\x21-\x7e]+$/.test(text)
    ? undefined
    : 'The system access token has characters that no token has: white space, a line break, or others beyond ASCII.';
}

import * as z from 'zod';
import type { ProfileName } from '../../domain/index.ts';
import type { DialectName } from './dialects.ts';

interface KindEntry {
  readonly name: string;
  /** The `type` of the errors of its inference API. */
  readonly errorType: string;
  /** Fields of its status that no kind above it has. Names are settings of an account or an operator, and decide nothing. */
  readonly shows?: readonly string[];
  /** The dialect of its System API; omitted: that of the contract. */
  readonly dialect?: DialectName;
  /** The versions of this entry; omitted: all. */
  readonly versions?: RegExp;
  /** The versions that ignore address ranges, and the first one that does not. */
  readonly ignoresRanges?: { readonly versions: RegExp; readonly until?: string };
  /** The profile of its versions 0 and 1. */
  readonly profiles?: readonly [ProfileName, ProfileName];
}

const NEW_API: KindEntry = {
  name: 'new-api',
  errorType: 'new_api_error',
  shows: ['quota_display_type'],
  // A build without a version reports v0.0.0.
  ignoresRanges: { versions: /^v?0\.(?:[1-9]\.|10\.0(?:\D|$))/, until: '0.10.1' },
  profiles: ['deployed', 'deployed@1.0'],
};

/** The kinds of gateways of the family; the first that fits decides, and the last where only the type of errors is known. */
const KINDS: readonly KindEntry[] = [
  {
    name: 'Veloera',
    errorType: 'veloera_error',
    shows: ['setup', 'check_in_enabled'],
    dialect: 'veloera',
    ignoresRanges: { versions: /^/ },
  },
  {
    ...NEW_API,
    shows: ['setup'],
    versions: /^v?0\.(?:[1-7]|8\.[0-3])(?:\.|$)/,
    dialect: 'new-api',
  },
  NEW_API,
  // Before version 0.9.
  { ...NEW_API, shows: ['setup'] },
  {
    name: 'done-hub',
    errorType: 'one_hub_error',
    shows: ['PaymentUSDRate', 'GeminiAPIEnabled'],
    dialect: 'one-hub',
  },
  { name: 'one-hub', errorType: 'one_hub_error', shows: ['PaymentUSDRate'], dialect: 'one-hub' },
  {
    name: 'one-api',
    errorType: 'one_api_error',
    shows: ['chat_link', 'display_in_currency'],
    dialect: 'one-api',
  },
  { name: 'a gateway of the contract', errorType: 'invalid_request_error', profiles: ['contract', 'contract'] },
];

/** The kind of a gateway, as it was recognized. */
export interface GatewayKind {
  /** With the version, where the gateway reports one: `new-api v0.13.2`. */
  readonly title: string;
  /** The profile that gateways of this kind were seen with. */
  readonly profile?: ProfileName;
  /** The dialect of its System API; omitted: that of the contract. */
  readonly dialect?: DialectName;
  /** It ignores address ranges, up to a version: a key with ranges alone is open to everybody there. Omitted: it does not. */
  readonly ignoresRanges?: { readonly until?: string };
}

/** Is this the `type` of an error of the inference API of a gateway of the family? Proxies in front have types of their own, or none. */
export const isErrorTypeOfFamily = (type: string): boolean => KINDS.some(({ errorType }) => errorType === type);

const Version = z.lazy(() => z.looseObject({ version: z.string().regex(/^[\w.+-]{1,40}$/) }));

const untilOf = ({ until }: { readonly until?: string }) => (until === undefined ? {} : { until });

function kindOf({ name, profiles, dialect, ignoresRanges }: KindEntry, status: unknown): GatewayKind {
  const { version } = Version.safeParse(status).data ?? {};
  const profile = profiles?.[/^v?0\./.test(version ?? 'v0.') ? 0 : 1];
  return {
    title: version === undefined ? name : `${name} ${version}`,
    ...(profile === undefined ? {} : { profile }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(ignoresRanges?.versions.test(version ?? '') ? { ignoresRanges: untilOf(ignoresRanges) } : {}),
  };
}

/**
 * Recognizes the kind of a gateway by the `data` of its status, and by the `type` of an error of its inference API.
 * The type decides, because a proxy in front may answer for the status.
 */
export function recognizeKind(status: unknown, errorType?: string): GatewayKind | undefined {
  const { version = '' } = Version.safeParse(status).data ?? {};
  const kinds = KINDS.filter(({ versions }) => versions === undefined || versions.test(version));
  const fields = typeof status === 'object' && status !== null ? status : {};
  const isShown = ({ shows }: KindEntry): boolean => shows?.every((field) => Object.hasOwn(fields, field)) === true;
  const ofType = kinds.filter((kind) => kind.errorType === errorType);
  const typed = ofType.find(isShown) ?? ofType.findLast(({ versions }) => versions === undefined);
  const found = typed ?? kinds.find(isShown);
  return found && kindOf(found, status);
}

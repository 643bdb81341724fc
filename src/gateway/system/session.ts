import type { DialectName, GatewayKind, GatewayProfile } from '../../wire/index.ts';

/** The facts that the answers of a gateway have shown so far, the same for all calls of one client. */
export interface Session {
  /** The access token belongs to the configured user. */
  isVerified: boolean;
  /** The sums of the usage log are filtered by name and time; undefined: not known yet. */
  hasFilters?: boolean | undefined;
  kind?: GatewayKind | undefined;
  /** An answer had a sign of another kind of gateway. Its kind may still be unknown. */
  hasOtherSign?: true;
  /** The dialect that its list of keys has; undefined: no list was read. */
  dialect?: DialectName | 'contract' | undefined;
  /** Credentials are revealed one by one only, or are in the records; undefined: no request for several has shown that there is none. */
  reveals?: 'each' | 'listed' | undefined;
  /** A page of the list was read. */
  listed: boolean;
  /** The record of a key was read. */
  read: boolean;
  /** The statements of the profile that the list contradicts. */
  contradictions: readonly string[];
}

/** @param profile chosen by somebody, and then the gateway has the dialect of the contract; omitted: recognized by its answers. */
export const beginSession = (profile?: GatewayProfile): Session => ({
  isVerified: false,
  listed: false,
  read: false,
  contradictions: [],
  ...(profile === undefined ? {} : { dialect: 'contract' }),
});

/** The dialect of the gateway; undefined: that of the contract, or not known. */
export function spokenIn({
  kind,
  dialect = kind?.dialect,
}: Pick<Session, 'kind' | 'dialect'>): DialectName | undefined {
  return dialect === 'contract' ? undefined : dialect;
}

import type { ServerKind } from './kinds.ts';

/** An account of a gateway that a test may fill, spend from and empty. */
export interface Owner {
  readonly userId: number;
  readonly accessToken: string;
}

/** The headers that name the owner to servers of every kind. */
export const userHeaders = (userId: number) => ({ 'new-api-user': String(userId), 'veloera-user': String(userId) });

export const headersOf = ({ userId, accessToken }: Owner): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${accessToken}`,
  ...userHeaders(userId),
});

/** Quota units of an account. */
export const WEALTH = { rich: 500_000_000, poor: 0 };

/** A gateway with an administrator: one that is running somewhere, or the reference gateway. */
export interface Peer {
  /** The name in reports. */
  readonly name: string;
  readonly url: string;
  readonly kind: ServerKind;
  /** Makes an account: a rich one can pay for everything, a poor one for nothing. */
  makeOwner(wealth: keyof typeof WEALTH): Promise<Owner>;
  close(): Promise<void>;
}

/** The model that each peer serves and prices alike. */
export const MODEL = 'alpha-chat-1';
export const MODEL_RATIO = 1.25;
export const COMPLETION_RATIO = 4;

/** The model of videos that each peer serves, with the price of a submission in dollars. */
export const VIDEO_MODEL = 'delta-H3';
export const VIDEO_PRICE = 0.1;

/** The groups that each peer has, with their ratios. */
export const GROUPS = ['default', 'vip', 'svip'];

import { Secret } from '../../src/domain/index.ts';
import { type Gateway, openGateway } from '../../src/gateway/index.ts';
import type { Clock } from '../../src/http/index.ts';
import type { KeyStore } from '../../src/reconcile/index.ts';
import { type ReferenceOptions, startReferenceGateway } from '../../src/reference/index.ts';
import { NOW } from '../reconcile/account.ts';
import { MemoryStore } from './memory-store.ts';

export interface Body {
  readonly store: KeyStore;
  close(): Promise<void>;
}

/**
 * An account on a reference gateway, with the real client over real HTTP. Both share a clock that starts at NOW and
 * advances only when the client waits, so rate limits take no time.
 */
export async function overHttp(
  profile: 'contract' | 'deployed',
  {
    userId,
    whileWaiting = async () => {},
    ...more
  }: Partial<ReferenceOptions> & { readonly userId?: number; readonly whileWaiting?: () => Promise<void> } = {},
) {
  let ms = NOW * 1000;
  const clock: Clock = {
    now: () => ms,
    sleep: async (wait) => {
      ms += wait;
      await whileWaiting();
    },
  };
  const reference = await startReferenceGateway({ profile, now: () => ms / 1000, ...more });
  const [account] = reference.accounts;
  if (!account) throw new Error('the reference gateway has no account');
  const open = () =>
    openGateway({
      url: reference.url,
      userId: userId ?? account.userId,
      accessToken: new Secret(account.accessToken),
      clock,
    });
  const gateway = open();
  const others: Gateway[] = [];
  return {
    /** One more client of the same account, on the same clock. */
    another() {
      const other = open();
      others.push(other);
      return other;
    },
    store: gateway.store,
    claims: gateway.claims,
    system: gateway.system,
    reference,
    account,
    close: async () => {
      for (const each of [gateway, ...others]) await each.close();
      await reference.close();
    },
  };
}

/** Every implementation of the port. */
export const BODIES: readonly { readonly title: string; open(): Promise<Body> }[] = [
  ...[true, false].map((reportsUse) => ({
    title: `in memory, usage ${reportsUse ? 'reported' : 'not reported'}`,
    open: async (): Promise<Body> => ({
      store: new MemoryStore({ reportsUse, now: () => NOW }),
      close: async () => {},
    }),
  })),
  ...(['contract', 'deployed'] as const).map((profile) => ({
    title: `over HTTP, profile ${profile}`,
    open: (): Promise<Body> => overHttp(profile),
  })),
];

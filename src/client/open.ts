import { type Group, type Quota, renderDecimal, type Secret, usdFromQuota } from '../domain/index.ts';
import { type CallLimits, type Gateway, type Inference, openGateway, systemClock } from '../gateway/index.ts';
import { DEFAULT_SETTLE_SECONDS } from '../reconcile/index.ts';
import { type ClientContext, openCall } from './call.ts';
import { checkClientOptions, type GatewayClientOptions } from './client-options.ts';
import { rememberConnection } from './connections.ts';
import { createKeys, type GatewayKeys } from './keys.ts';
import { openMemoryJournal } from './memory-journal.ts';
import { spanHooks } from './spans.ts';
import { createUsage, type GatewayUsage } from './usage-reading.ts';

/** The account that the access token belongs to. */
export interface AccountInfo {
  /** The number of the user. */
  readonly userId: number;
  /** The name of the user, where the gateway reports it. */
  readonly username?: string;
  /** The group of the user. */
  readonly group?: string;
  /** The balance, in quota units of the gateway. */
  readonly balance: Quota;
  /** The balance in US dollars at the gateway’s rate, with six decimals. */
  readonly usd: string;
}

/** The facts that a gateway publishes about itself. */
export interface GatewayStatus {
  /** Quota units for one US dollar, as decimal text. */
  readonly quotaPerUsd: string;
  /** The kind and version of the gateway, such as `new-api v0.13.2`; absent where it was not recognized. */
  readonly kind?: string;
}

/**
 * A client of one account on a live gateway. It keeps connections open: close it, or declare it with `await using`.
 */
export interface GatewayClient extends AsyncDisposable {
  /** The address of the gateway in canonical form. */
  readonly url: string;
  /** The user that the access token belongs to. */
  readonly userId: number;
  /** The API keys of the account. */
  readonly keys: GatewayKeys;
  /** The usage log of the account. */
  readonly usage: GatewayUsage;
  /** Reads the account. @throws Fault `credentials.other-account` */
  account(limits?: CallLimits): Promise<AccountInfo>;
  /** Lists the groups that keys may have. */
  groups(limits?: CallLimits): Promise<readonly Group[]>;
  /** Lists the models that this API key may use. @throws Fault `gateway.not-found` where the gateway has no such list */
  models(key: Secret, limits?: CallLimits): Promise<readonly string[]>;
  /** Reads the rate and the kind of the gateway. Needs no credentials. */
  status(limits?: CallLimits): Promise<GatewayStatus>;
  /** Opens the inference and media API with this API key. @throws Fault `usage.invalid` for a malformed key. */
  inference(key: Secret): Inference;
  /** Closes every connection. Call it when no call is under way. */
  close(): Promise<void>;
}

/**
 * Opens a client of a live gateway for one account. Does not connect yet, and reads neither files nor the environment.
 *
 * @example
 * await using gateway = await openGateway({ url: 'https://gateway.example.com', userId: 42, accessToken: new Secret(token) });
 * for await (const key of gateway.keys.list({ name: 'team-*' })) console.log(key.name, key.remaining);
 *
 * @throws Fault `usage.invalid` for an invalid URL, header, certificate, proxy or other option; `credentials.missing`.
 */
export function openGatewayClient(options: GatewayClientOptions): GatewayClient {
  checkClientOptions(options);
  const {
    journal,
    settleSeconds = DEFAULT_SETTLE_SECONDS,
    onRequest,
    onResponse,
    onRetry,
    telemetry,
    ...rest
  } = options;
  const { clock = systemClock } = rest;
  const gateway = openGateway({
    ...rest,
    hooks: [{ onRequest, onResponse, onRetry }, ...(telemetry ? [spanHooks(telemetry)] : [])],
  });
  const context: ClientContext = {
    gateway,
    clock,
    known: {},
    naming: new Map(),
    now: () => Math.floor(gateway.time.now().getTime() / 1000),
    journal: journal ?? openMemoryJournal(() => clock.now() / 1000),
    settleSeconds,
    signal: rest.signal,
  };
  const within = (limits: CallLimits | undefined): Gateway => openCall(context, limits).gateway;
  const client: GatewayClient = {
    ...gateway.store.account,
    keys: createKeys(context),
    usage: createUsage(context),
    account: async (limits) => readAccount(within(limits)),
    async groups(limits) {
      const { store, system } = within(limits);
      await store.verifyAccount();
      return system.groups();
    },
    models: async (key, limits) => within(limits).system.models(key),
    async status(limits) {
      const { quotaPerUnit, kind } = await within(limits).system.status();
      return { quotaPerUsd: renderDecimal(quotaPerUnit), ...(kind === undefined ? {} : { kind: kind.title }) };
    },
    inference: (key) => gateway.inference(key),
    close: () => gateway.close(),
    [Symbol.asyncDispose]: () => gateway.close(),
  };
  rememberConnection(client, gateway);
  return client;
}

async function readAccount({ system, store }: Gateway): Promise<AccountInfo> {
  await store.verifyAccount();
  const [{ id, wallet, ...self }, { quotaPerUnit }] = await Promise.all([system.self(), system.status()]);
  return { userId: id, ...self, balance: wallet, usd: usdFromQuota(wallet, quotaPerUnit, 6) };
}

import { checkOptions, OPTION_RULES, type OptionRule, ofTexts, withMethods } from '../domain/index.ts';
import type { GatewayOptions, HttpHooks } from '../gateway/index.ts';
import type { CreateJournal } from '../reconcile/index.ts';
import type { Telemetry } from './spans.ts';

export interface GatewayClientOptions extends Omit<GatewayOptions, 'hooks' | 'modelsKey'>, HttpHooks {
  /**
   * Records creates before they are sent, for the next client after a crash. By default the client remembers them for as long as it
   * exists.
   */
  readonly journal?: CreateJournal | undefined;
  /** The module `@opentelemetry/api`: each attempt of a request is a span of the provider that is registered with it. */
  readonly telemetry?: Telemetry | undefined;
  /** The time after which a create that was sent and is not listed counts as lost, in seconds. Defaults to 120. */
  readonly settleSeconds?: number | undefined;
}

const { text, callback, signal, secret, milliseconds, patience, count, retries } = OPTION_RULES;

const anObject: OptionRule = { accepts: (value) => typeof value === 'object' && value !== null, expected: 'an object' };

/** Those that the types of the client name, apart from `userId`, which is a credential. */
const RULES: Readonly<Record<keyof Omit<GatewayClientOptions, 'userId'>, OptionRule>> = {
  url: { ...text, isRequired: true },
  accessToken: { ...secret, isRequired: true },
  ca: text,
  proxy: ofTexts('an object with the addresses `http`, `https` and `no`', 'http', 'https', 'no'),
  sourceAddress: text,
  clientCertificate: {
    accepts: (value) => isCertificate(value),
    expected: 'an object with `cert`, `key` and `passphrase`, of which the last two are a `Secret`',
  },
  fetch: callback,
  dispatcher: withMethods('a dispatcher of undici', 'dispatch'),
  headers: ofTexts('an object of texts'),
  userAgent: text,
  timeoutMs: milliseconds,
  concurrency: count,
  patienceMs: patience,
  settleSeconds: { ...patience, expected: 'a number of seconds' },
  signal,
  onRequest: callback,
  onResponse: callback,
  onRetry: callback,
  onTrace: callback,
  telemetry: anObject,
  profile: anObject,
  journal: withMethods('a journal of creates', 'load', 'record', 'forget'),
  clock: withMethods('an object with `now` and `sleep`', 'now', 'sleep'),
  random: callback,
};

function isCertificate(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const [cert, key, passphrase] = ['cert', 'key', 'passphrase'].map((name): unknown => Reflect.get(value, name));
  return text.accepts(cert) && secret.accepts(key) && (passphrase === undefined || secret.accepts(passphrase));
}

/** @throws Fault `usage.invalid` */
export const checkClientOptions = (options: GatewayClientOptions): void => checkOptions(options, RULES);

const LIMITS: Readonly<Record<string, OptionRule>> = {
  signal,
  timeoutMs: milliseconds,
  maxRetries: retries,
};

/** @throws Fault `usage.invalid` */
export const checkCallLimits = (limits: unknown): void => checkOptions(limits, LIMITS);

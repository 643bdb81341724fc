import { Fault } from '../../domain/index.ts';
import type { Clock, Gateway, TraceEvent } from '../../gateway/index.ts';
import type { GatewaySection } from '../../manifest/index.ts';
import { printable } from '../output/layout/printable.ts';
import { renderTrace } from '../output/trace.ts';
import type { Context } from '../program/command.ts';
import { GATEWAY_PROFILE } from '../program/flags.ts';
import { has } from '../program/option.ts';
import type { Io } from './io.ts';
import { confirmOrigin, isTrusted } from './origin.ts';
import { type GatewaySettings, resolveSettings, type Sources } from './settings.ts';
import { showWait } from './waits.ts';

type Opened = Omit<GatewaySettings, 'concurrency' | 'origins'> & Partial<GatewaySettings>;

/** A client of the gateway that these settings name. Whoever opens it closes it. */
export async function open(
  context: Context,
  settings: Opened,
  watch: (event: TraceEvent) => void = () => {},
): Promise<Gateway> {
  return await openTraced(context, settings, traceOf(context, watch));
}

type Trace = (event: TraceEvent) => void;

async function openTraced(context: Context, settings: Opened, onTrace: Trace): Promise<Gateway> {
  const { openGateway, optimizeLater } = await import('../../gateway/index.ts');
  if (!context.io.keepsCode()) await optimizeLater(['parser'], process.versions);
  return openGateway({ ...settings, ...connection(context, onTrace) });
}

/** The time of this run, for the waits of the client: retries and rate limits. */
const clockOf = ({ clock, pause }: Io): Clock => ({
  now: () => clock() * 1000,
  sleep: (ms, signal = new AbortController().signal) => pause(ms / 1000, signal),
});

const connection = ({ interruption, io }: Context, onTrace: Trace) => ({
  signal: interruption.signal,
  random: io.random,
  clock: clockOf(io),
  onTrace,
});

/** Shows what people want to know about a request: long waits, and with `--verbose` everything. */
export function showTrace(context: Context, event: TraceEvent): void {
  if (event.kind === 'wait' && event.reason === 'rate-limited') showWait(context, event.ms);
  if (has(context.given, 'verbose')) context.print(context.paint.err.faint(renderTrace(event)));
}

const traceOf =
  (context: Context, watch: Trace = () => {}): Trace =>
  (event) => {
    watch(event);
    showTrace(context, event);
  };

/** Asks the gateway for the user ID that nothing else names. */
async function askOwner(
  context: Context,
  settings: Omit<GatewaySettings, 'userId' | 'origins'>,
  watch: (event: TraceEvent) => void = () => {},
): Promise<number> {
  const { findOwner, optimizeLater } = await import('../../gateway/index.ts');
  if (!context.io.keepsCode()) await optimizeLater(['parser'], process.versions);
  return await findOwner({ ...settings, ...connection(context, traceOf(context, watch)) });
}

function printOrigins({ print, paint }: Context, { origins: { url, userId, accessToken } }: GatewaySettings): void {
  const lines = [
    `gateway ${printable(url.value)} from ${url.from}`,
    `user ${userId.value} from ${userId.from}`,
    `access token from ${accessToken}`,
  ];
  for (const line of lines) print(paint.err.faint(line));
}

/** A client of the gateway, and the settings that it was opened with. */
export interface Connected {
  readonly gateway: Gateway;
  readonly settings: GatewaySettings;
}

function sourcesOf({ io, given, command }: Context, section: GatewaySection | undefined): Sources {
  const ignoresProfile = !command.options.some(({ flag }) => flag === GATEWAY_PROFILE.flag);
  return { given, env: io.env, cwd: io.cwd, manifest: section, ignoresProfile };
}

async function connect(context: Context, section: GatewaySection | undefined, watch?: Trace): Promise<Connected> {
  const settings = await resolveSettings(
    sourcesOf(context, section),
    (url) => confirmOrigin(context, url),
    (known) => askOwner(context, known, watch),
  );
  noteSettings(context, settings);
  return { settings, gateway: await open(context, settings, watch) };
}

/**
 * Connects without showing or asking anything.
 *
 * @throws Fault where a person or the gateway would have to be asked, and as {@link withGateway} does
 */
export async function connectSilently(context: Context, section: GatewaySection, onTrace: Trace): Promise<Connected> {
  const unclear = async (): Promise<never> => {
    throw new Fault('settings.unconfirmed-origin', 'The account is not clear without asking.');
  };
  const settings = await resolveSettings(
    sourcesOf(context, section),
    async (url) => (isTrusted(url, context.io.env) ? undefined : await unclear()),
    unclear,
  );
  return { settings, gateway: await openTraced(context, settings, onTrace) };
}

/** Masks the access token from now on, and shows where settings come from to whoever wants to know. */
export function noteSettings(context: Context, settings: GatewaySettings): void {
  context.tokens.add(settings.accessToken);
  if (has(context.given, 'verbose')) printOrigins(context, settings);
}

/** Does work with the gateway that flags, manifest and environment name, and closes the connection. */
export async function withGateway<T>(
  context: Context,
  section: GatewaySection | undefined,
  work: (gateway: Gateway, settings: GatewaySettings) => Promise<T>,
  watch?: Trace,
): Promise<T> {
  const { gateway, settings } = await connect(context, section, watch);
  try {
    return await work(gateway, settings);
  } finally {
    await gateway.close();
  }
}

import type { Clock, Gateway, TraceEvent } from '../../gateway/index.ts';
import type { GatewaySection } from '../../manifest/index.ts';
import { printable } from '../output/layout/printable.ts';
import { renderTrace } from '../output/trace.ts';
import type { Context } from '../program/command.ts';
import { GATEWAY_PROFILE } from '../program/flags.ts';
import { has } from '../program/option.ts';
import type { Io } from './io.ts';
import { confirmOrigin } from './origin.ts';
import { type GatewaySettings, resolveSettings } from './settings.ts';
import { showWait } from './waits.ts';

type Opened = Omit<GatewaySettings, 'concurrency' | 'origins'> & Partial<GatewaySettings>;

/** A client of the gateway that these settings name. Whoever opens it closes it. */
export async function open(
  context: Context,
  settings: Opened,
  watch: (event: TraceEvent) => void = () => {},
): Promise<Gateway> {
  const { openGateway, optimizeLater } = await import('../../gateway/index.ts');
  if (!context.io.keepsCode()) await optimizeLater(['parser'], process.versions);
  return openGateway({ ...settings, ...connection(context, watch) });
}

/** The time of this run, for the waits of the client: retries and rate limits. */
const clockOf = ({ clock, pause }: Io): Clock => ({
  now: () => clock() * 1000,
  sleep: (ms, signal = new AbortController().signal) => pause(ms / 1000, signal),
});

const connection = (context: Context, watch: (event: TraceEvent) => void) => ({
  signal: context.interruption.signal,
  random: context.io.random,
  clock: clockOf(context.io),
  onTrace(event: TraceEvent) {
    watch(event);
    if (event.kind === 'wait' && event.reason === 'rate-limited') showWait(context, event.ms);
    if (has(context.given, 'verbose')) context.print(context.paint.err.faint(renderTrace(event)));
  },
});

/** Asks the gateway for the user ID that nothing else names. */
async function askOwner(
  context: Context,
  settings: Omit<GatewaySettings, 'userId' | 'origins'>,
  watch: (event: TraceEvent) => void = () => {},
): Promise<number> {
  const { findOwner, optimizeLater } = await import('../../gateway/index.ts');
  if (!context.io.keepsCode()) await optimizeLater(['parser'], process.versions);
  return await findOwner({ ...settings, ...connection(context, watch) });
}

function printOrigins({ print, paint }: Context, { origins: { url, userId, accessToken } }: GatewaySettings): void {
  const lines = [
    `gateway ${printable(url.value)} from ${url.from}`,
    `user ${userId.value} from ${userId.from}`,
    `access token from ${accessToken}`,
  ];
  for (const line of lines) print(paint.err.faint(line));
}

/** Does work with the gateway that flags, manifest and environment name, and closes the connection. */
export async function withGateway<T>(
  context: Context,
  section: GatewaySection | undefined,
  work: (gateway: Gateway, settings: GatewaySettings) => Promise<T>,
  watch?: (event: TraceEvent) => void,
): Promise<T> {
  const { io, given, command } = context;
  const ignoresProfile = !command.options.some(({ flag }) => flag === GATEWAY_PROFILE.flag);
  const sources = { given, env: io.env, cwd: io.cwd, manifest: section, ignoresProfile };
  const settings = await resolveSettings(
    sources,
    (url) => confirmOrigin(context, url),
    (known) => askOwner(context, known, watch),
  );
  // Repeated runs resolve the same token again, and every text would be searched for each copy.
  if (![...context.tokens].some((token) => token.equals(settings.accessToken)))
    context.tokens.add(settings.accessToken);
  if (has(given, 'verbose')) printOrigins(context, settings);
  const gateway = await open(context, settings, watch);
  try {
    return await work(gateway, settings);
  } finally {
    await gateway.close();
  }
}

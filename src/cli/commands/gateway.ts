import { resolve } from 'node:path';
import { Fault, tryParseProfileName } from '../../domain/index.ts';
import type { ReferenceGateway, ReferenceOptions } from '../../reference/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { envelopeOf, plain } from '../output/json/envelope.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { count, has, text } from '../program/option.ts';
import { readProfileFile } from '../session/files/profile-file.ts';
import { upstreamKeyIn } from '../session/settings.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/;
const LAST_PORT = 65_535;

type ReadSeed = (file: string) => Promise<NonNullable<ReferenceOptions['seed']>>;

/** One of the names, or the profile in a file. @throws Fault `usage.invalid` */
const profileOf = async (given: string, cwd: string): Promise<NonNullable<ReferenceOptions['profile']>> =>
  tryParseProfileName(given) ?? (await readProfileFile(resolve(cwd, given), given));

async function optionsOf({ given, io }: Context, readSeed: ReadSeed): Promise<ReferenceOptions> {
  const host = text(given, 'host') ?? '127.0.0.1';
  if (!LOOPBACK.test(host)) {
    throw new Fault(
      'usage.invalid',
      `The reference gateway cannot listen on ${host}: only loopback addresses are allowed.`,
      {
        hint: 'Use 127.0.0.1, ::1 or localhost.',
      },
    );
  }
  const port = count(given, 'port') ?? 0;
  if (port > LAST_PORT)
    throw new Fault('usage.invalid', `Invalid value "${port}" for --port: expected a number of at most ${LAST_PORT}.`);
  const [data, seed] = [text(given, 'data'), text(given, 'seed')];
  return {
    host,
    port,
    profile: await profileOf(text(given, 'profile') ?? 'contract', io.cwd),
    ...(has(given, 'ignore-user-id') ? { userHeader: 'ignored' } : {}),
    control: has(given, 'control'),
    upstreamKey: upstreamKeyIn(io.env),
    ...(data === undefined ? {} : { data: resolve(io.cwd, data) }),
    ...(seed === undefined ? {} : { seed: await readSeed(resolve(io.cwd, seed)) }),
  };
}

/** For machines the one line of the envelope; for people the variables that reach it. */
function announce(context: Context, { url, accounts, unplayed }: ReferenceGateway): void {
  const { io, format } = context;
  for (const value of unplayed) context.print(`Cannot imitate ${printable(value)}`);
  if (format === 'json') {
    io.stdout.write(
      `${JSON.stringify(envelopeOf('gateway', { data: plain({ url, accounts, ...(unplayed.length > 0 ? { unplayed } : {}) }) }, []))}\n`,
    );
    return;
  }
  const lines = accounts.flatMap(({ userId, accessToken }) => [
    '',
    `export KEYPLANE_URL=${url} KEYPLANE_USER_ID=${userId} KEYPLANE_ACCESS_TOKEN=${accessToken}`,
  ]);
  io.stdout.write(`${[`Reference gateway at ${url}; Ctrl-C stops it.`, ...lines].join('\n')}\n`);
}

/** Resolves at the first interruption. */
function untilStopped({ interruption }: Context): Promise<void> {
  const { signal } = interruption;
  return new Promise((stop) => {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', () => stop(), { once: true });
  });
}

/** Runs the reference gateway in the foreground until it is stopped, which is success. */
export async function gatewayAction(context: Context): Promise<Result> {
  const { readSeed, startReferenceGateway } = await import('../../reference/index.ts');
  const gateway = await startReferenceGateway(await optionsOf(context, readSeed));
  const serve = async (): Promise<void> => {
    announce(context, gateway);
    await untilStopped(context);
    await gateway.close();
  };
  await context.interruption.finishing(serve, { announce: () => context.print('Stopping.') });
  return { exit: EXIT.done, data: null, text: '', delivered: true };
}

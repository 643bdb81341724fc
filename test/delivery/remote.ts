import type { SinkOptions } from '../../src/delivery/index.ts';
import { openConnections } from '../../src/delivery/index.ts';
import type { DeclaredSink, SinkTarget } from '../../src/domain/index.ts';
import type { Clock } from '../../src/http/index.ts';
import { openIn } from './scratch.ts';
import type { ApiServer } from './servers/api-server.ts';

type SinkConnections = ReturnType<typeof openConnections>;

/** A clock whose waits take no time, and are counted. */
export function quickClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  let now = Date.parse('2026-11-25T12:00:00Z');
  return {
    waits,
    now: () => now,
    async sleep(ms) {
      waits.push(ms);
      now += ms;
    },
  };
}

/** Opens a sink on the network as a run does that may contact every place. */
export function openRemoteIn(
  target: SinkTarget,
  env: Readonly<Record<string, string>>,
  more: Partial<DeclaredSink> = {},
  {
    allowed = ['*'],
    clock = quickClock(),
    connections = openConnections({ clock, random: () => 0.5 }),
  }: { readonly allowed?: readonly string[]; readonly clock?: Clock; readonly connections?: SinkConnections } = {},
) {
  const options: Partial<SinkOptions> = {
    env: (name) => env[name],
    network: { allowed, others: 'refused', connections },
  };
  return openIn(target, '/nowhere', more, options);
}

const READS = ['GET', 'HEAD'];

/** The requests that could change something. */
export const writesOf = ({ requests }: Pick<ApiServer, 'requests'>, reading: readonly string[] = []): number =>
  requests.filter(({ method, path }) => !READS.includes(method) && !reading.includes(path)).length;

import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, one } from '../../../src/terraform/protocol/message.ts';
import { CONTROLLER, HEALTH, SERVICE_NAMES } from '../../../src/terraform/protocol/services.ts';
import { serveForDebugging } from '../../../src/terraform/serve/debug.ts';
import { openPluginClient } from '../plugin-client.ts';

const ADDRESSES = ['registry.terraform.io/a/b', 'registry.opentofu.org/a/b'];
const GREET = { name: 'Greet', request: message({}), response: message({ from: one(1, 'string') }) } as const;

interface Shown {
  readonly [address: string]: {
    readonly Pid: number;
    readonly Test: boolean;
    readonly Addr: { readonly String: string };
  };
}

/** Events of the providers, each with its number, in their order. */
let events: string[];
let shown: Shown;
let interrupt: (value?: unknown) => void;
let ended: Promise<void>;

beforeEach(async () => {
  events = [];
  let mounted = 0;
  const interrupted = new Promise((resolve) => {
    interrupt = resolve;
  });
  shown = await new Promise<Shown>((resolve) => {
    ended = serveForDebugging({
      env: { TF_LOG: 'off' },
      addresses: ADDRESSES,
      write: (text) => resolve(JSON.parse(/^export TF_REATTACH_PROVIDERS='(.*)'$/m.exec(text)?.[1] ?? '') as Shown),
      interrupted,
      mount(stop) {
        mounted += 1;
        const from = `provider ${mounted}`;
        stop.signal.addEventListener('abort', () => events.push(`${from} stopped`));
        return {
          service: SERVICE_NAMES.provider,
          methods: { greet: GREET },
          handlers: { greet: () => ({ from }) },
          close: async () => void events.push(`${from} closed`),
        };
      },
    });
  });
});
afterEach(async () => {
  interrupt();
  await ended;
});

const socketOf = (address = ''): string => shown[address]?.Addr.String ?? '';

describe('a provider that is debugged', () => {
  it('is shown for each registry, as one that core neither starts nor ends', () => {
    expect(Object.keys(shown)).toEqual(ADDRESSES);
    for (const address of ADDRESSES) {
      expect(shown[address]).toMatchObject({ Protocol: 'grpc', ProtocolVersion: 6, Pid: process.pid, Test: true });
    }
  });

  it('is another one for each connection, and ends with it', async () => {
    const [one, other] = ADDRESSES.map((address) => openPluginClient(socketOf(address)));
    expect(await one?.ask('provider', GREET, {})).toEqual({ from: 'provider 1' });
    expect(await other?.ask('provider', GREET, {})).toEqual({ from: 'provider 2' });
    expect(await other?.ask('health', HEALTH.check, {})).toEqual({ status: 1 });
    one?.close();
    await expect.poll(() => events).toEqual(['provider 1 stopped', 'provider 1 closed']);
    expect(await other?.ask('provider', GREET, {})).toEqual({ from: 'provider 2' });
    other?.close();
  });

  it('goes on where core shuts it down', async () => {
    const core = openPluginClient(socketOf(ADDRESSES[0]));
    await core.ask('controller', CONTROLLER.shutdown, {});
    expect(await core.ask('provider', GREET, {})).toEqual({ from: 'provider 1' });
    core.close();
  });

  it('ends when it is interrupted, with every connection, and leaves no folder', async () => {
    const core = openPluginClient(socketOf(ADDRESSES[0]));
    await core.ask('provider', GREET, {});
    interrupt();
    await ended;
    expect(events).toEqual(['provider 1 stopped', 'provider 1 closed']);
    expect(existsSync(dirname(socketOf(ADDRESSES[0])))).toBe(false);
    await expect(core.ask('provider', GREET, {})).rejects.toThrow('UNAVAILABLE');
    core.close();
  });
});

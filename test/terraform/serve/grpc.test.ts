import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROVIDER, SERVICE_NAMES, STDIO } from '../../../src/terraform/protocol/services.ts';
import { issueCertificate } from '../../../src/terraform/serve/certificate.ts';
import { type CallContext, type Listening, listen } from '../../../src/terraform/serve/grpc.ts';
import { openPluginClient, type Peer, type PluginClient } from '../plugin-client.ts';

const server = issueCertificate(Date.now());
const core = issueCertificate(Date.now());
const LARGE = 8 * 2 ** 20;

let folder = '';
let listening: Listening;
let client: PluginClient;
let stop: AbortController;
const defects: string[] = [];
let waiting: (context: CallContext) => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-'));
  stop = new AbortController();
  defects.length = 0;
  waiting = async () => {};
  const handlers = {
    getMetadata: () => ({ resources: [{ typeName: 'keyplane_api_key' }] }),
    readDataSource: ({ config }: { config?: { msgpack: Uint8Array } }) => ({ state: { msgpack: config?.msgpack } }),
    stopProvider: () => {
      throw new Error('it broke');
    },
    async configureProvider(_: unknown, context: CallContext) {
      await waiting(context);
      return {};
    },
    async *invokeAction() {
      yield { progress: { message: 'begun' } };
      throw new Error('it broke');
    },
    async *listResource(_: unknown, context: CallContext) {
      yield { displayName: 'first' };
      await waiting(context);
    },
  };
  listening = await listen({
    socket: join(folder, 's'),
    services: [
      { service: SERVICE_NAMES.provider, methods: PROVIDER, handlers },
      { service: SERVICE_NAMES.stdio, methods: STDIO, handlers: {} },
    ],
    tls: { ...server, clientCertificate: core.certificate },
    stop: stop.signal,
    onDefect: (call, thrown) => defects.push(`${call}: ${(thrown as Error).message}`),
  });
  client = openPluginClient(join(folder, 's'), { own: core, theirs: server.certificate });
});
afterEach(async () => {
  client.close();
  listening.close();
  await rm(folder, { recursive: true });
});

const as = async (peer?: Peer): Promise<unknown> => {
  const other = openPluginClient(join(folder, 's'), peer);
  const answer = await other.ask('provider', PROVIDER.getMetadata, {}).catch((thrown) => thrown.code);
  other.close();
  return answer;
};

describe('a provider that is served', () => {
  it('serves core', async () => {
    const answer = await client.ask('provider', PROVIDER.getMetadata, {});
    expect(answer.resources).toEqual([{ typeName: 'keyplane_api_key' }]);
  });

  it('serves no client without the certificate of core', async () => {
    expect(await as({ theirs: server.certificate })).toBe(status.UNAVAILABLE);
    expect(await as({ own: issueCertificate(Date.now()), theirs: server.certificate })).toBe(status.UNAVAILABLE);
    expect(await as()).toBe(status.UNAVAILABLE);
    expect(await as({ own: core, theirs: server.certificate })).toMatchObject({ resources: [{}] });
  });

  it('takes and gives more than the 4 MiB that libraries allow', async () => {
    const config = { msgpack: new Uint8Array(LARGE).fill(7) };
    const { state } = await client.ask('provider', PROVIDER.readDataSource, { config });
    expect(state?.msgpack).toHaveLength(LARGE);
  });

  it('reports an unknown call', async () => {
    const asked = client.ask('provider', PROVIDER.readResource, {});
    await expect(asked).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  it('ends a failed call with its message, and reports it', async () => {
    const asked = client.ask('provider', PROVIDER.stopProvider, {});
    await expect(asked).rejects.toMatchObject({ code: status.INTERNAL, details: 'it broke' });
    expect(defects).toEqual(['StopProvider: it broke']);
  });

  it('ends a failed stream with its message, and reports it', async () => {
    const listened = client.stream('provider', PROVIDER.invokeAction, {});
    await expect(listened).rejects.toMatchObject({ code: status.INTERNAL, details: 'it broke' });
    expect(defects).toEqual(['InvokeAction: it broke']);
  });

  it('notifies a stream when core requests an end', async () => {
    waiting = async ({ signal }) => {
      stop.abort();
      if (!signal.aborted) await once(signal, 'abort');
    };
    expect(await client.stream('provider', PROVIDER.listResource, {})).toMatchObject([{ displayName: 'first' }]);
  });

  it('notifies a call that core has gone away', async () => {
    const aborted = new Promise<void>((resolve) => {
      waiting = async ({ signal }) => {
        cancel();
        await once(signal, 'abort');
        resolve();
      };
    });
    const cancel = client.cancel('provider', PROVIDER.configureProvider, {});
    await aborted;
  });

  it('aborts all calls when core stops the provider', async () => {
    waiting = async ({ signal }) => {
      stop.abort();
      if (!signal.aborted) await once(signal, 'abort');
    };
    expect(await client.ask('provider', PROVIDER.configureProvider, {})).toEqual({ diagnostics: [] });
  });

  it('holds open what core wants to be pendingCall, until it closes', async () => {
    const pendingCall = client.hold('stdio', STDIO.streamStdio);
    await client.ask('provider', PROVIDER.getMetadata, {});
    listening.close();
    expect(await pendingCall).toMatchObject({ code: status.UNAVAILABLE });
  });

  it('handles many calls concurrently', async () => {
    const asked = Array.from({ length: 60 }, () => client.ask('provider', PROVIDER.getMetadata, {}));
    expect(await Promise.all(asked)).toHaveLength(60);
  });
});

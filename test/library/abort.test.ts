import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkKeys } from '../../src/checks/index.ts';
import { Secret } from '../../src/domain/index.ts';
import { createKeyplane, defineManifest, openGateway } from '../../src/library/index.ts';
import { declared, openAccount, scratchFolder } from './account.ts';

/** A gateway that takes every request and never answers. */
async function openSilence() {
  const paths: string[] = [];
  let arrived = (): void => {};
  const server = createServer((request) => {
    paths.push(`${request.method} ${request.url}`);
    arrived();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway = await openGateway({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    userId: 42,
    accessToken: new Secret('token-for-tests'),
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await gateway.close();
    server.close();
  });
  /** Resolves when the next request is here. */
  const nextRequest = () =>
    new Promise<void>((resolve) => {
      arrived = resolve;
    });
  return { gateway, paths, nextRequest };
}

const KEY = new Secret(`sk-${'k'.repeat(48)}`);
const MESSAGES = [{ role: 'user', content: 'Hello' }] as const;

type Opened = Awaited<ReturnType<typeof openSilence>>['gateway'];
type Limits = { readonly signal: AbortSignal };

async function drain(iterable: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of iterable) break;
}

const CALLS: Readonly<Record<string, (gateway: Opened, limits: Limits) => Promise<unknown>>> = {
  'keys.list': ({ keys }, limits) => keys.list({}, limits).toArray(),
  'keys.list, iterated': ({ keys }, limits) => drain(keys.list({}, limits)),
  'keys.get': ({ keys }, limits) => keys.get(1, limits),
  'keys.find': ({ keys }, limits) => keys.find('a', limits),
  'keys.tryFind': ({ keys }, limits) => keys.tryFind('a', limits),
  'keys.create': ({ keys }, limits) => keys.create({ name: 'a', remaining: { usd: 1 } }, limits),
  'keys.update': ({ keys }, limits) => keys.update(1, { group: 'vip' }, limits),
  'keys.enable': ({ keys }, limits) => keys.enable(1, limits),
  'keys.disable': ({ keys }, limits) => keys.disable(1, limits),
  'keys.delete': ({ keys }, limits) => keys.delete(1, limits),
  'keys.reveal': ({ keys }, limits) => keys.reveal(1, limits),
  'keys.revealAll': ({ keys }, limits) => keys.revealAll([1, 2], limits),
  'usage.log': ({ usage }, limits) => drain(usage.log({}, limits)),
  'usage.sum': ({ usage }, limits) => usage.sum({}, limits),
  account: (gateway, limits) => gateway.account(limits),
  groups: (gateway, limits) => gateway.groups(limits),
  models: (gateway, limits) => gateway.models(KEY, limits),
  status: (gateway, limits) => gateway.status(limits),
  'inference.chat': (gateway, limits) =>
    gateway.inference(KEY).chat({ model: 'alpha-chat-1', messages: [...MESSAGES] }, limits),
  'inference.models': (gateway, limits) => gateway.inference(KEY).models(limits),
};

it.each(Object.keys(CALLS))('%s ends at an abort while the gateway does not answer, with the reason', async (name) => {
  const { gateway, nextRequest, paths } = await openSilence();
  const controller = new AbortController();
  const reason = new Error('the user left');
  const here = nextRequest();
  const running = CALLS[name]?.(gateway, { signal: controller.signal });
  await here;
  controller.abort(reason);
  await expect(running).rejects.toMatchObject({ code: 'gateway.interrupted', cause: reason });
  expect(paths).toHaveLength(1);
});

const MANIFEST = { keys: { a: { budget: 'unlimited', checks: ['model-list'] } } } as const;

const RUNS = ['plan', 'drift', 'apply', 'destroy', 'check'] as const;

it.each(RUNS)('%s ends at an abort while the gateway does not answer, and releases its lock', async (verb) => {
  const { gateway, nextRequest, paths } = await openSilence();
  const stateFolder = scratchFolder();
  const keyplane = createKeyplane({ gateway, stateFolder });
  const manifest = await defineManifest(MANIFEST);
  const reason = new Error('the user left');
  for (let time = 1; time <= 2; time += 1) {
    const controller = new AbortController();
    const here = nextRequest();
    const running = keyplane[verb](manifest, { signal: controller.signal });
    await here;
    const before = paths.length;
    controller.abort(reason);
    await expect(running).rejects.toMatchObject({ code: 'gateway.interrupted', cause: reason });
    expect(paths).toHaveLength(before);
  }
  await keyplane[Symbol.asyncDispose]();
});

it('an apply ends at an abort while nobody answers its question, writes nothing and releases its lock', async () => {
  const { keyplane, liveNames } = await openAccount(['a']);
  const manifest = await declared(['a', 'b']);
  const reason = new Error('the user left');
  const controller = new AbortController();
  const confirm = () => {
    controller.abort(reason);
    return new Promise<void>(() => {});
  };
  const asked = keyplane.apply(manifest, { confirm, signal: controller.signal });
  await expect(asked).rejects.toMatchObject({ code: 'gateway.interrupted', cause: reason });
  expect(liveNames()).toEqual(['a']);
  await keyplane.apply(manifest);
  expect(liveNames()).toEqual(['a', 'b']);
});

it('checkKeys ends at an abort while the gateway does not answer, with the reason', async () => {
  const { gateway, nextRequest } = await openSilence();
  const controller = new AbortController();
  const reason = new Error('the user left');
  const here = nextRequest();
  const ledger = `${scratchFolder()}/tasks.jsonl`;
  const running = checkKeys({ gateway, ledger, keys: { a: ['model-list'] }, checks: [], signal: controller.signal });
  await here;
  controller.abort(reason);
  await expect(running).rejects.toMatchObject({ code: 'gateway.interrupted', cause: reason });
});

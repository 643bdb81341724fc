import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ROOT, readRoot } from './architecture/repository.ts';

const { exports: doors } = JSON.parse(readRoot('package.json')) as { exports: Record<string, unknown> };

/** The doors of CDK packages load a CDK, which is not ours. */
const OWN_DOORS = Object.keys(doors)
  .filter((door) => !/cdkt[fn]|\.json$/.test(door))
  .map((door) => door.replace(/^\./, 'keyplane'));

/** Zod keeps the registries that its copies share under names of its own. Nobody else reads them. */
const OF_ZOD = /^__zod_global/;

/** Runs a program that reports how the global object differs after `work`. */
function changesBy(work: string): unknown {
  const program = `
    const look = () => new Map(Reflect.ownKeys(globalThis).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]));
    const before = look();
    const events = process.eventNames().length;
    ${work}
    const after = look();
    const names = [...new Set([...before.keys(), ...after.keys()])];
    // Node.js replaces a getter by its value when it is first read.
    const isSame = (was, is) => was !== undefined && is !== undefined && (was.get !== undefined || Object.is(was.value, is.value));
    const changed = names.filter((name) => !isSame(before.get(name), after.get(name)));
    process.stdout.write(JSON.stringify({ changed: changed.map(String), listeners: process.eventNames().length - events }));
  `;
  const output = execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { cwd: ROOT });
  const { changed, ...rest } = JSON.parse(output.toString()) as { changed: string[]; listeners: number };
  return { changed: changed.filter((name) => !OF_ZOD.test(name)), ...rest };
}

describe('the global object', () => {
  it.each(OWN_DOORS)('is as it was after %s was imported', (door) => {
    expect(changesBy(`await import(${JSON.stringify(door)});`)).toEqual({ changed: [], listeners: 0 });
  });

  it('has no other dispatcher for fetch after requests, also through a proxy', () => {
    const work = `
      const { openGateway, Secret } = await import('keyplane');
      for (const proxy of [{}, { http: 'http://127.0.0.1:9' }]) {
        const options = { url: 'http://127.0.0.1:9', userId: 1, accessToken: new Secret('token'), proxy };
        const gateway = await openGateway({ ...options, clock: { now: () => 0, sleep: async () => {} } });
        await gateway.keys.list().toArray().catch(() => undefined);
        await gateway.close();
      }
    `;
    expect(changesBy(work)).toEqual({ changed: [], listeners: 0 });
  });

  it('is seen to change when the whole of undici is loaded, which the test would notice', () => {
    expect(changesBy(`await import('undici');`)).toEqual({
      changed: ['Symbol(undici.globalDispatcher.2)', 'Symbol(undici.globalDispatcher.1)'],
      listeners: 0,
    });
  });
});

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceGateway, startReferenceGateway } from '../../../src/reference/index.ts';
import { type Installation, installAlone } from './installation.ts';

const SEED = {
  accounts: [{ userId: 42, accessToken: 'rehearsal-only', quota: 50_000_000 }],
  groups: { default: {} },
};

let installation: Installation;
let gateway: ReferenceGateway;
beforeAll(async () => {
  gateway = await startReferenceGateway({ seed: SEED });
});
afterAll(() => gateway.close());
afterEach(() => installation.remove());

async function install(): Promise<void> {
  installation = await installAlone();
  await installation.write(
    'keyplane.yaml',
    `version: 1\ngateway: { url: ${gateway.url}, userId: 42 }\nkeys:\n  prod-one: { budget: { usd: 1 } }\n`,
  );
}

const keyplane = (...words: string[]) =>
  installation.keyplane(words, { env: { KEYPLANE_ACCESS_TOKEN: 'rehearsal-only', KEYPLANE_URL: gateway.url } });

const home = () => join(installation.folder, '.cache/keyplane');

/** The files that hold compiled code, with their bytes. */
function kept(): Readonly<Record<string, number>> {
  if (!existsSync(home())) return {};
  const [folder = '', ...others] = readdirSync(home());
  expect(others).toEqual([]);
  return Object.fromEntries(
    readdirSync(join(home(), folder)).map((name) => [name, statSync(join(home(), folder, name)).size]),
  );
}

const fileOf = (command: string) => join(home(), readdirSync(home())[0] ?? '', command);

describe('the compiled code of a command', () => {
  it.each([
    ['validate'],
    // It connects, which sets flags of V8: code that was compiled with these could never be used.
    ['plan'],
  ])('is kept by the second run of `%s`, and prints the same from then on', async (command) => {
    await install();
    const first = await keyplane(command);
    expect(first.code).toBe(0);
    expect(kept()).toEqual({ [command]: 0 });
    expect(await keyplane(command)).toEqual(first);
    expect(kept()[command]).toBeGreaterThan(500_000);
    const code = readFileSync(fileOf(command));
    expect(await keyplane(command)).toEqual(first);
    expect(readFileSync(fileOf(command))).toEqual(code);
  });

  it('is kept whole when several runs record it in parallel', async () => {
    await install();
    const first = await keyplane('validate');
    const runs = await Promise.all(Array.from({ length: 5 }, () => keyplane('validate')));
    for (const run of runs) expect(run).toEqual(first);
    expect(Object.keys(kept())).toEqual(['validate']);
    const code = readFileSync(fileOf('validate'));
    expect(await keyplane('validate')).toEqual(first);
    expect(readFileSync(fileOf('validate'))).toEqual(code);
  });

  it('matters nothing if it is damaged', async () => {
    await install();
    const first = await keyplane('validate');
    await keyplane('validate');
    const code = readFileSync(fileOf('validate'));
    for (let at = 2_000; at < code.length; at += 50_000) code[at] = ~(code[at] ?? 0);
    writeFileSync(fileOf('validate'), code);
    expect(await keyplane('validate')).toEqual(first);
  });

  it('is not kept of a misspelled command, nor of the version', async () => {
    await install();
    for (const words of [['plna'], ['plna'], ['--version'], ['--version']]) await keyplane(...words);
    expect(kept()).toEqual({});
  });
});

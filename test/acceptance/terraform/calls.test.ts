import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { type InstalledStack, openInstalledStack, skipWithoutTerraform, versionOfEngine } from './stack.ts';

/** Loaded into each provider before its program: counts the calls of core, and writes them down when the process ends. */
const COUNTER = `
const http2 = require('node:http2');
const { appendFileSync } = require('node:fs');
const { createSecureServer } = http2;
const calls = {};
http2.createSecureServer = (...options) => {
  const server = createSecureServer(...options);
  server.on('session', (session) => {
    session.on('stream', (_, { ':path': path }) => {
      const [, service, name] = path.split('/');
      if (service === 'tfplugin6.Provider') calls[name] = (calls[name] ?? 0) + 1;
    });
  });
  return server;
};
require('node:module').syncBuiltinESMExports();
process.on('exit', () => appendFileSync(process.env.CALLS, JSON.stringify(calls) + '\\n'));
`;

const KEYS = `
resource "keyplane_api_key" "each" {
  count  = 3
  name   = "key-\${count.index}"
  budget = { usd = 1, per = "lifetime" }
}
`;

let place: Place;
let stack: InstalledStack;
beforeEach(async (context) => {
  skipWithoutTerraform(context);
  place = await openPlace();
  stack = await openInstalledStack(place, KEYS);
});
afterEach(async () => {
  await place?.close();
});

/** The calls of each process that a command starts, in the order in which they end. */
async function callsOf(...words: readonly string[]): Promise<readonly unknown[]> {
  const [counter, calls] = [join(place.folder, 'counter.cjs'), join(place.folder, 'calls')];
  await writeFile(counter, COUNTER);
  await writeFile(calls, '');
  const ran = await stack.runWith({ NODE_OPTIONS: `--require ${counter}`, CALLS: calls }, ...words);
  expect(ran.stderr).toBe('');
  const lines = (await readFile(calls, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

it('a provider is asked for its schema once in a command, and for each key as often as core needs to', async () => {
  // Engines that know identities ask for their schemas.
  const identities = versionOfEngine().minor >= 12 ? { GetResourceIdentitySchemas: 1 } : {};
  const start = [{ GetProviderSchema: 1, ...identities }, { ValidateResourceConfig: 1 }];
  const configured = { ValidateProviderConfig: 1, ConfigureProvider: 1, ValidateResourceConfig: 3 };
  expect(await callsOf('plan')).toEqual([...start, { ...configured, PlanResourceChange: 3 }]);
  expect((await stack.run('apply', '-auto-approve')).code).toBe(0);
  expect(await callsOf('plan')).toEqual([
    ...start,
    { ...configured, UpgradeResourceState: 3, ReadResource: 3, PlanResourceChange: 3 },
  ]);
});

import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type GatewaySection, readManifest } from '../../src/manifest/index.ts';
import { NOW } from './scratch.ts';

const SECTION = 'gateway:\n  url: https://gateway.example.com\n  userId: 42 # ours\n';
const COMMENTS = `# ${'long '.repeat(40)}\n`.repeat(2_500);
const KEYS = Array.from({ length: 3_000 }, (_, i) => `  app-${i}: { enabled: true }\n`).join('');
const LONG = `version: 1\n${SECTION}keys:\n${COMMENTS}${KEYS}`;

/** Reads a text, and counts the turns of others meanwhile. */
async function read(text: string, isAsked: boolean) {
  const gateways: GatewaySection[] = [];
  let [turns, isReading] = [0, true];
  const count = (): void => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const reading = await readManifest([{ name: 'keyplane.yaml', text, folder: tmpdir() }], {
    env: {},
    cwd: tmpdir(),
    now: NOW,
    ...(isAsked ? { onGateway: (gateway) => gateways.push(gateway) } : {}),
  });
  isReading = false;
  return { reading, gateways, turns };
}

describe('the gateway of a long manifest', () => {
  it('is passed on before the rest is read, which lets others have their turn and ends the same', async () => {
    const text = `${LONG}  app-1: {}\n  other: { enabeld: true }\n`;
    const [ahead, plain] = [await read(text, true), await read(text, false)];
    expect(ahead.gateways).toEqual([{ url: 'https://gateway.example.com', userId: 42 }]);
    expect(ahead.reading).toEqual(plain.reading);
    expect(plain.reading.diagnostics.map(({ code }) => code)).toEqual([
      'manifest.duplicate-key',
      'manifest.unknown-field',
    ]);
    // A turn for every few hundred tokens, and else those of looking up the folder.
    expect(ahead.turns).toBeGreaterThan(plain.turns + 20);
  });

  it('of a valid one is the one of the manifest', async () => {
    const { gateways, reading } = await read(LONG, true);
    expect(gateways).toEqual([reading.manifest?.gateway]);
  });

  it.each([
    ['is short', `version: 1\n${SECTION}keys:\n${KEYS}`],
    ['comes after many keys', `version: 1\nkeys:\n${KEYS}${COMMENTS}${SECTION}defaults: {}\n`],
    ['is the last field', `version: 1\nkeys: {}\n${SECTION}${COMMENTS}`],
    ['has an error in it', LONG.replace('userId: 42', 'userId: none')],
    ['has no version before it', `${SECTION}version: 1\nkeys:\n${COMMENTS}${KEYS}`],
    ['is declared again', `${LONG}${SECTION}`],
    ['could be declared again', `${LONG}# gateway\n`],
    ['could be declared again by an escape', `${LONG}# \\x67\n`],
    [
      'could be declared again by an alias',
      LONG.replace('version: 1\n', 'version: 1\ndefaults: { group: &a gateway }\n'),
    ],
  ])('is not passed on if it %s', async (_, text) => {
    expect((await read(text, true)).gateways).toEqual([]);
  });

  it('is passed on although names and addresses contain the word', async () => {
    const { gateways } = await read(`${LONG}  api-gateway-1: {}\n  gateway.example: {}\n`, true);
    expect(gateways).toHaveLength(1);
  });
});

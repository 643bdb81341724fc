import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { EXIT, TREE } from '../../src/cli/index.ts';
import type { Seed } from '../../src/reference/index.ts';
import { openAccount } from '../cli/account.ts';
import { openPlanter } from './planter.ts';

/** An access token with everything that JSON, HTML, XML, addresses and Base64 spell differently. */
export const TOKEN = 'cAnArY-7f/+Q"&<x9Zq=3kW8>rT5';
/** Secrets of keys: two stored ones, and the one that lists models. */
const KEYS = ['Kq7', 'Vw4', 'Zs2'].map((head) => `${head}${'bX9mR3tL8cN5pJ6hG1dF0sA2uY7eQ4wZ'.repeat(2)}`.slice(0, 48));
const [FIRST = '', SECOND = ''] = KEYS;
export const [, , MODELS_KEY = ''] = KEYS;
/** Values that a person let the manifest use: shown, planned and saved. */
export const ALLOWED = { variable: 'allowed-variable', file: 'allowed-file' };

const base64 = (text: string, shift: number): string =>
  Buffer.from('\0'.repeat(shift) + text)
    .toString('base64')
    .slice(shift + 1, -4);
const asMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const spellings = (text: string): readonly string[] => [
  text,
  [...text].reverse().join(''),
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  asMarkup(text),
  ...[0, 1, 2].map((shift) => base64(text, shift)),
];
const PART = 8;
const partsOf = (text: string): readonly string[] => [...text].slice(PART - 1).map((_, i) => text.slice(i, i + PART));
const PARTS: ReadonlySet<string> = new Set([TOKEN, ...KEYS].flatMap(spellings).flatMap(partsOf));

/** The number of the two characters at a place. Few texts have those of a part, so that hardly any has to be cut out. */
const headAt = (text: string, at: number): number => ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff;
const HEADS = new Set([...PARTS].map((part) => headAt(part, 0)));
const isHead = Uint8Array.from({ length: 0x10000 }, (_, head) => (HEADS.has(head) ? 1 : 0));

/** Every part of eight characters of a secret in any spelling, also across the lines and colours of a terminal. */
export function partsIn(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that move and colour a terminal's text
  const joined = text.replace(/\u001b\[[0-9;?]*[A-Za-z]|\s+/g, '');
  const found = new Set<string>();
  for (const each of [text, joined]) {
    for (let at = 0; at < each.length; at += 1) {
      const part = isHead[headAt(each, at)] === 1 ? each.slice(at, at + PART) : '';
      if (PARTS.has(part)) found.add(part);
    }
  }
  return [...found];
}

export const REPORTS = ['txt', 'md', 'json', 'html'].flatMap((ending) => ['--report', `out.${ending}`]);
export const EVERY = [...REPORTS, '--report', 'out.xml', '--report', 'out.tap'];
export const COMMANDS: readonly (readonly string[])[] = [
  ['plan', '--out', 'plan.json', '--usage-cache', 'usage.json', ...REPORTS],
  ['drift', '--usage-cache', 'usage.json', ...EVERY],
  ['drift', '--format', 'junit', '--out', 'drift.xml'],
  ['apply', '--yes', '--verbose'],
  ['destroy', '--yes'],
  ['check', '--verbose', '--history', 'history', '--ledger', 'tasks.jsonl', ...EVERY],
  ['import', '--out', 'imported.yaml', '--yes'],
  ['import', '--to', 'hcl'],
  ['convert', '--to', 'hcl-json'],
  ['validate', '--format', 'json'],
  ['doctor', '--verbose'],
  ['conformance', '--format', 'html', '--profile', 'profile.json', '--bundle', 'bundle.json'],
  ['keys', 'list'],
  ['keys', 'list', '--search', 'app-1', '--verbose'],
  ['keys', 'get', '1', '--format', 'json'],
  ['keys', 'enable', '2', '--yes'],
  ['keys', 'disable', 'app-1', '--yes', '--verbose'],
  ['keys', 'revoke', 'app-1', '--reason', 'leaked', '--yes'],
  ['keys', 'rotate', 'app-1', '--yes'],
  ['keys', 'identify', '--verbose'],
  ['keys', 'identify', '--disable', '--yes', '--format', 'json'],
  ['keys', 'rename', '1', 'other', '--yes'],
  ['keys', 'dedupe'],
  ['keys', 'delete', '1', '--yes'],
  ['lock', 'list'],
  ['lock', 'break', '--yes'],
  ['usage', '--by', 'model', '--format', 'csv', '--report', 'usage.html', '--report', 'usage.json'],
  ['usage'],
  ['usage', 'log'],
  ['usage', 'log', '--format', 'json'],
  ['audit', '--report', 'audit.md', '--report', 'audit.json', '--report', 'audit.sarif'],
  ['audit', '--format', 'sarif', '--verbose'],
  ['account', 'show'],
  ['account', 'groups'],
  ['account', 'models', '3', '--verbose'],
];
/** Commands that print a secret because a person asked for it, and those that know neither a gateway nor a manifest. */
export const OTHERS = ['keys reveal', 'account rotate-token', 'init', 'schema', 'gateway', 'completion'];

export const MANIFEST = `ownership: { scope: "app-*", prune: disable }
keys:
  app-1: { group: vip, models: [alpha-chat-1], budget: { usd: 5, per: month }, checks: [list, word] }
  app-new: { budget: { usd: 1 } }
checks:
  word: { module: chat, model: alpha-chat-1, expect: { contains: nothing-like-it } }
  list: { module: model-list }
`;
export const SEED = {
  accounts: [{ userId: 42, accessToken: TOKEN, quota: 5_000_000 }],
  groups: { default: {}, vip: {} },
  models: { 'alpha-chat-1': {} },
  limits: { api: null, search: null, reveal: null },
  keys: [
    {
      id: 1,
      name: 'app-1',
      key: FIRST,
      remain_quota: 500_000,
      model_limits_enabled: true,
      model_limits: 'alpha-chat-1',
    },
    { id: 2, name: 'app-2', key: SECOND, remain_quota: 500_000, used_quota: 1000, allow_ips: '10.0.0.1' },
    { id: 3, name: 'models', key: MODELS_KEY, remain_quota: 500_000 },
  ],
};

async function openStage(manifest: string, seed: Seed) {
  const account = await openAccount(manifest, seed, 'deployed');
  const planter = await openPlanter(account.url, TOKEN);
  const variables = {
    KEYPLANE_URL: planter.url,
    KEYPLANE_ACCESS_TOKEN: TOKEN,
    KEYPLANE_MODELS_KEY: `sk-${MODELS_KEY}`,
    ALLOWED: ALLOWED.variable,
    SECRET: TOKEN,
  };
  let exit = 0;
  return {
    ...account,
    planter,
    exit: () => exit,
    /** Every byte of both streams and of every file that the command wrote. */
    async emitted(words: readonly string[], isTerminal = false): Promise<string> {
      const terminal = account.terminal(isTerminal, variables);
      // Whoever asks gets no answer; `keys identify` reads a secret.
      if (words[1] === 'identify') terminal.type(`sk-${FIRST}`);
      terminal.hangUp();
      exit = await terminal.run(...words);
      let seen = terminal.out() + terminal.err();
      for (const entry of await readdir(account.folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || IGNORED.test(entry.name)) continue;
        seen += `\n${entry.name}\n${await readFile(join(entry.parentPath, entry.name), 'utf8')}`;
      }
      return seen;
    },
    async close() {
      await planter.close();
      await account.close();
    },
  };
}

/** Files of the test itself, and films, in whose bytes short texts are soon found. */
const IGNORED = /^(keyplane\.yaml|given\.txt)$|\.mp4$/;

type Stage = Awaited<ReturnType<typeof openStage>>;

export async function onStage<T>(
  work: (stage: Stage) => Promise<T>,
  manifest = MANIFEST,
  seed: Seed = SEED,
): Promise<T> {
  const stage = await openStage(manifest, seed);
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}

const changesNothing = (words: readonly string[]): boolean => {
  const effect = TREE.commands.find(({ path }) => path.every((word, i) => words[i] === word))?.effect;
  return effect === 'reads';
};

/**
 * Runs a command once undisturbed, and once for every chosen text of the answers that it gets, with a secret in place of that text.
 *
 * @param isChosen by the place of the text in the answers, and its number
 */
export async function lookIn(
  words: readonly string[],
  isChosen: (leaf: string, number: number) => boolean,
): Promise<void> {
  const leaves = await onStage(async ({ emitted, exit, planter }) => {
    expect(partsIn(await emitted(words))).toEqual([]);
    // Done, with findings, or with a check that failed as it should and held a prune back: nothing ended early.
    expect([EXIT.done, EXIT.pending, EXIT.partial, EXIT.checksFailed]).toContain(exit());
    return planter.takeSeen();
  });
  const chosen = leaves.filter(isChosen);
  const look = async (leaf: string, { emitted, planter }: Stage): Promise<void> => {
    planter.plant(leaf);
    expect([leaf, partsIn(await emitted(words))]).toEqual([leaf, []]);
  };
  if (changesNothing(words)) {
    await onStage(async (stage) => {
      for (const leaf of chosen) await look(leaf, stage);
    });
  } else {
    for (const leaf of chosen) await onStage((stage) => look(leaf, stage));
  }
}

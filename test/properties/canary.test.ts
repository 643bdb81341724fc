import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT, TREE } from '../../src/cli/index.ts';
import { openAccount } from '../cli/account.ts';
import { type Instead, openPlanter } from './planter.ts';

/** An access token with everything that JSON, HTML, XML, addresses and Base64 spell differently. */
const TOKEN = 'cAnArY-7f/+Q"&<x9Zq=3kW8>rT5';
/** Secrets of keys: two stored ones, and the one that lists models. */
const KEYS = ['Kq7', 'Vw4', 'Zs2'].map((head) => `${head}${'bX9mR3tL8cN5pJ6hG1dF0sA2uY7eQ4wZ'.repeat(2)}`.slice(0, 48));
const [FIRST = '', SECOND = '', MODELS_KEY = ''] = KEYS;
/** Values that a person let the manifest use: shown, planned and saved. */
const ALLOWED = { variable: 'allowed-variable', file: 'allowed-file' };

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
const partsOf = (text: string): readonly string[] => [...text].slice(7).map((_, i) => text.slice(i, i + 8));
const PARTS = [...new Set([TOKEN, ...KEYS].flatMap(spellings).flatMap(partsOf))];

/** Every part of eight characters of a secret in any spelling, also across the lines and colours of a terminal. */
function partsIn(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes that move and colour a terminal's text
  const joined = text.replace(/\u001b\[[0-9;?]*[A-Za-z]|\s+/g, '');
  return PARTS.filter((part) => text.includes(part) || joined.includes(part));
}

const REPORTS = ['txt', 'md', 'json', 'html'].flatMap((ending) => ['--report', `out.${ending}`]);
const EVERY = [...REPORTS, '--report', 'out.xml', '--report', 'out.tap'];
const COMMANDS: readonly (readonly string[])[] = [
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
  ['keys', 'list'],
  ['keys', 'get', '1', '--format', 'json'],
  ['keys', 'enable', '2', '--yes'],
  ['keys', 'disable', 'app-1', '--yes', '--verbose'],
  ['keys', 'revoke', 'app-1', '--reason', 'leaked', '--yes'],
  ['keys', 'rename', '1', 'other', '--yes'],
  ['keys', 'dedupe'],
  ['keys', 'delete', '1', '--yes'],
  ['lock', 'list'],
  ['lock', 'break', '--yes'],
  ['account', 'show'],
  ['account', 'groups'],
  ['account', 'usage', '--format', 'json'],
];
/** Commands that print a secret because a person asked for it, and those that know neither a gateway nor a manifest. */
const OTHERS = ['keys reveal', 'account rotate-token', 'init', 'schema', 'gateway', 'completion'];

const EVERY_FAULT: readonly (readonly [string, Instead])[] = [
  ['a page', { status: 502, headers: { 'content-type': 'text/html' }, body: `<p>${TOKEN}</p>` }],
  ['a message', { status: 200, headers: {}, body: JSON.stringify({ success: false, message: `no ${TOKEN}` }) }],
  ['an error', { status: 500, headers: {}, body: JSON.stringify({ error: { message: encodeURIComponent(TOKEN) } }) }],
  ['a redirect', { status: 302, headers: { location: `/login?t=${encodeURIComponent(TOKEN)}` }, body: '' }],
  ['a header', { status: 400, headers: { 'x-oneapi-request-id': TOKEN }, body: '{}' }],
  ['Base64', { status: 403, headers: {}, body: Buffer.from(`auth:${TOKEN}`).toString('base64') }],
];

/** An answer of a model that was asked for its key, and gives it away in pieces of twelve characters. */
function repeatedKey(authorization: string): Instead {
  const key = authorization.replace(/^Bearer (sk-)?/, '');
  const content = `the key is ${key.match(/.{1,12}/g)?.join(' then ')}`;
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
  const body = { id: 'a', object: 'chat.completion', created: 1, model: 'alpha-chat-1', choices, usage };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

const MANIFEST = `ownership: { scope: "app-*", prune: disable }
keys:
  app-1: { group: vip, models: [alpha-chat-1], budget: { usd: 5, per: month }, checks: [list, word] }
  app-new: { budget: { usd: 1 } }
checks:
  word: { module: chat, model: alpha-chat-1, expect: { contains: nothing-like-it } }
  list: { module: model-list }
`;
const SEED = {
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
    { id: 2, name: 'app-2', key: SECOND, remain_quota: 500_000, allow_ips: '10.0.0.1' },
    { id: 3, name: 'models', key: MODELS_KEY, remain_quota: 500_000 },
  ],
};

async function openStage(manifest: string) {
  const account = await openAccount(manifest, SEED, 'deployed');
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
      // Whoever asks gets no answer.
      terminal.hangUp();
      exit = await terminal.run(...words);
      let seen = terminal.out() + terminal.err();
      for (const entry of await readdir(account.folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || ['keyplane.yaml', 'given.txt'].includes(entry.name)) continue;
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

type Stage = Awaited<ReturnType<typeof openStage>>;

async function onStage<T>(work: (stage: Stage) => Promise<T>, manifest = MANIFEST): Promise<T> {
  const stage = await openStage(manifest);
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

describe('secrets that are planted wherever text can come from', () => {
  it('are looked for in every command that could emit one', () => {
    const covered = COMMANDS.map((words) => words.join(' '));
    const left = TREE.commands
      .map(({ path }) => path.join(' '))
      .filter((path) => !covered.some((words) => words === path || words.startsWith(`${path} `)));
    expect(left.filter((path) => !OTHERS.includes(path) && !path.startsWith('provider '))).toEqual([]);
  });

  it.each(COMMANDS)('are emitted from no text of an answer by: %s %s', async (...words) => {
    const leaves = await onStage(async ({ emitted, exit, planter }) => {
      expect(partsIn(await emitted(words))).toEqual([]);
      // Done, with findings, or with a check that failed as it should and held a prune back: nothing ended early.
      expect([EXIT.done, EXIT.pending, EXIT.partial, EXIT.checksFailed]).toContain(exit());
      return planter.takeSeen();
    });
    const look = async (leaf: string, { emitted, planter }: Stage): Promise<void> => {
      planter.plant(leaf);
      expect([leaf, partsIn(await emitted(words))]).toEqual([leaf, []]);
    };
    if (changesNothing(words)) {
      await onStage(async (stage) => {
        for (const leaf of leaves) await look(leaf, stage);
      });
    } else {
      for (const leaf of leaves) await onStage((stage) => look(leaf, stage));
    }
  });

  it.each(EVERY_FAULT)('are emitted in no fault: %s', (_, answer) =>
    onStage(async ({ emitted, planter }) => {
      planter.answer((path) => (path.startsWith('/api/status') ? undefined : answer));
      for (const words of [
        ['keys', 'list'],
        ['plan', '--verbose'],
        ['doctor', '--format', 'json'],
        ['check', '--verbose'],
      ]) {
        expect([words, partsIn(await emitted(words))]).toEqual([words, []]);
      }
    }),
  );

  it('are emitted in no answer of a model that repeats its key in pieces', () =>
    onStage(async ({ emitted, planter }) => {
      planter.answer((path, authorization) =>
        path === '/v1/chat/completions' ? repeatedKey(authorization) : undefined,
      );
      const seen = await emitted(['check', '--verbose', '--history', 'history', ...EVERY]);
      expect(seen).toContain('the key is');
      expect(partsIn(seen)).toEqual([]);
    }));

  const value = JSON.stringify(TOKEN);
  it.each([
    ['a group', `keys: { app-1: { group: ${value} } }`],
    ['a model', `keys: { app-1: { models: [${value}] } }`],
    ['an address', `keys: { app-1: { allowIps: [${value}] } }`],
    ['a time', `keys: { app-1: { expires: ${value} } }`],
    ['a name', `keys: { ${value}: {} }`],
    ['a former name', `keys: { app-1: { renamedFrom: ${value} } }`],
    ['a budget', `keys: { app-1: { budget: { usd: ${value} } } }`],
    ['tiers', `keys: { app-1: { smartRouting: { tiers: { a: ${value} } } } }`],
    ['an unknown field', `keys: { app-1: { ${value}: 1 } }`],
    ['a scope', `ownership: { scope: ${value} }\nkeys: {}`],
    ['the address of the gateway', `gateway: { url: ${JSON.stringify(`http://127.0.0.1/${TOKEN}`)} }\nkeys: {}`],
    ['a check', `keys: {}\nchecks: { a: { module: ${value} } }`],
    ['a prompt', `keys: {}\nchecks: { a: { module: chat, model: m, user: ${value} } }`],
    ['a comment next to a mistake', `keys: { app-1: {} } # ${TOKEN}\nkeys: {}`],
    ['a variable of the secrets', 'keys: { app-1: { group: "${env:KEYPLANE_ACCESS_TOKEN}" } }'],
    ['an allowed variable', 'keys: { app-1: { group: "${env:SECRET}" } }'],
    ['a file', 'keys: { app-1: { group: "${file:given.txt}" } }'],
  ])('are emitted from no field of a manifest: %s', (_, manifest) =>
    onStage(async ({ emitted, folder }) => {
      await writeFile(join(folder, 'given.txt'), TOKEN);
      for (const words of [
        ['validate', '--env', 'SECRET'],
        ['plan', '--env', 'SECRET', '--out', 'plan.json', ...REPORTS],
        ['convert', '--env', 'SECRET', '--to', 'hcl', '--inline-references'],
      ]) {
        expect([words, partsIn(await emitted(words))]).toEqual([words, []]);
      }
    }, manifest),
  );

  it('are emitted by no moving line, nor where a column cuts them', () =>
    onStage(async ({ emitted, planter }) => {
      for (const words of [['keys', 'list'], ['account', 'groups'], ['check'], ['keys', 'dedupe']]) {
        await emitted(words, true);
        for (const leaf of planter.takeSeen().filter((each) => /name|group|desc|model|content/.test(each))) {
          planter.plant(leaf);
          expect([leaf, words, partsIn(await emitted(words, true))]).toEqual([leaf, words, []]);
        }
        planter.plant(undefined);
      }
    }));
});

it('values of a reference that a person allowed are shown, planned and saved', () =>
  onStage(async ({ emitted, folder, exit }) => {
    await writeFile(join(folder, 'given.txt'), ALLOWED.file);
    const options = ['--env', 'ALLOWED', '--allow-unknown-groups', '--allow-unknown-models'];
    const seen = await emitted(['plan', ...options, '--out', 'plan.json', ...REPORTS]);
    expect(exit()).toBe(EXIT.done);
    const parts = seen.split(/\n(?=(?:plan\.json|out\.\w+)\n)/);
    expect(parts).toHaveLength(6);
    for (const part of parts) for (const text of Object.values(ALLOWED)) expect(part).toContain(text);
  }, 'keys: { app-1: { group: "${env:ALLOWED}", models: ["${file:given.txt}"] } }\n'));

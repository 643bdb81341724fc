import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT, TREE } from '../../src/cli/index.ts';
import { ALLOWED, COMMANDS, EVERY, lookIn, MANIFEST, OTHERS, onStage, partsIn, REPORTS, TOKEN } from './canary.ts';
import type { Instead } from './planter.ts';

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
  const pieces = piecesOf(authorization);
  const message = { role: 'assistant', content: `the key is ${pieces.join(' then ')}` };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { status: 200, headers: { 'content-type': 'application/json' }, body: chatText('chat.completion', choices) };
}

const piecesOf = (authorization: string): readonly string[] =>
  authorization.replace(/^Bearer (sk-)?/, '').match(/.{1,12}/g) ?? [];

function chatText(object: string, choices: readonly object[]): string {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return JSON.stringify({ id: 'a', object, created: 1, model: 'alpha-chat-1', choices, usage });
}

/** The same as a stream: each piece in an event of its own, so that no event has the whole. */
function streamedKey(authorization: string): Instead {
  const events = ['the key is ', ...piecesOf(authorization)].map((content) =>
    chatText('chat.completion.chunk', [{ index: 0, delta: { content }, finish_reason: null }]),
  );
  const last = chatText('chat.completion.chunk', [{ index: 0, delta: {}, finish_reason: 'stop' }]);
  const body = [...events, last, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** Answers that many commands get. Some of the commands plant each of their texts; in canary.exhaustive.ts all of them do. */
const OFTEN = /^GET \/api\/(?:user|status|log|token\/(?: |\.|N))/;

const STREAMING = MANIFEST.replace('module: chat,', 'module: chat-stream,');

describe('secrets that are planted wherever text can come from', () => {
  it('are looked for in every command that could emit one', () => {
    const covered = COMMANDS.map((words) => words.join(' '));
    const left = TREE.commands
      .map(({ path }) => path.join(' '))
      .filter((path) => !covered.some((words) => words === path || words.startsWith(`${path} `)));
    expect(left.filter((path) => !OTHERS.includes(path) && !path.startsWith('provider '))).toEqual([]);
  });

  it.each(COMMANDS.map((words, number) => ({ words, number })))(
    'are emitted from no text of an answer by: $words',
    ({ words, number }) => lookIn(words, (leaf, place) => !OFTEN.test(leaf) || place % 6 === number % 6),
  );

  it.each(EVERY_FAULT)('are emitted in no fault: %s', (_, answer) =>
    onStage(async ({ emitted, planter }) => {
      planter.answer((path) => (path.startsWith('/api/status') ? undefined : answer));
      for (const words of [
        ['keys', 'list'],
        ['plan', '--verbose'],
        ['doctor', '--format', 'json'],
        ['check', '--verbose'],
        ['keys', 'reveal', '1', '--verbose'],
        ['keys', 'reveal', '1', '2', '--out', 'revealed.txt', '--yes'],
        ['conformance', '--level', 'write', '--bundle', 'bundle.json', '--profile', 'profile.json'],
      ]) {
        expect([words, partsIn(await emitted(words))]).toEqual([words, []]);
      }
    }),
  );

  it.each([
    ['in one answer', repeatedKey, MANIFEST],
    ['in a stream', streamedKey, STREAMING],
  ])('are emitted in no answer of a model that repeats its key in pieces %s', (_, answerOf, manifest) =>
    onStage(async ({ emitted, planter }) => {
      planter.answer((path, authorization) => (path === '/v1/chat/completions' ? answerOf(authorization) : undefined));
      const seen = await emitted(['check', '--verbose', '--history', 'history', ...EVERY]);
      expect(seen).toContain('the key is');
      expect(partsIn(seen)).toEqual([]);
    }, manifest),
  );

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
      for (const words of [['keys', 'list'], ['account', 'groups'], ['usage', 'log'], ['check'], ['keys', 'dedupe']]) {
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

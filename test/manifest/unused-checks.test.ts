import { expect, it } from 'vitest';
import { readFiles } from './scratch.ts';

const CHECKS = 'checks:\n  film: { module: video, model: delta-H3 }\n  pong: { module: chat }\n';

const unused = async (keys: string): Promise<readonly string[]> => {
  const { diagnostics } = await readFiles({ 'keyplane.yaml': `version: 1\n${keys}\n${CHECKS}` });
  return diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
};

it.each([
  ['by name', 'keys: { app: { checks: [film, pong] } }'],
  ['by module', 'keys: { app: { checks: [video, chat] } }'],
  ['by kind', 'keys: { app: { checks: [media, inference] } }'],
  ['by class', 'keys: { app: { checks: [costly] } }'],
  ['for all keys', 'defaults: { checks: [film, pong] }\nkeys: { app: {} }'],
  ['by nobody, because there are no keys', ''],
])('a check is used when it is selected %s', async (_, keys) => {
  expect(await unused(keys)).toEqual([]);
});

it('warns about a check that no key selects', async () => {
  expect(await unused('keys: { app: { checks: [pong] } }')).toEqual([
    'warning: No key selects the check `film`, so it never runs.',
  ]);
});

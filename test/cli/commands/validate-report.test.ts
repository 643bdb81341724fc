import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openAccount } from '../account.ts';
import { sarifErrors } from '../sarif.ts';

const WRONG = `ownership: { scope: "*" }
keys:
  a: { budget: { usd: five }, colour: red }
  A: { budget: unlimited, allowIps: [10.0.0.1/8] }
  "‮evil|<script>": { budget: unlimited }
  leaked: { budget: unlimited, description: sk-${'x'.repeat(48)} }
`;

const opened: Awaited<ReturnType<typeof openAccount>>[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function validated(manifest: string, ...words: string[]) {
  const account = await openAccount(manifest);
  opened.push(account);
  const terminal = account.terminal(false);
  const code = await terminal.run('validate', ...words);
  return { code, out: terminal.out(), err: terminal.err(), folder: account.folder };
}

interface Result {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly partialFingerprints: object;
}

const resultsOf = (text: string): readonly Result[] => {
  const log = JSON.parse(text);
  expect(sarifErrors(log)).toBeNull();
  const [{ tool, results }] = log.runs;
  expect(new Set(results.map(({ ruleId }: Result) => ruleId))).toEqual(
    new Set(tool.driver.rules.map(({ id }: { id: string }) => id)),
  );
  return results;
};

it('validates as SARIF 2.1.0, with the place of each error and a fingerprint of its own', async () => {
  const { code, out } = await validated(WRONG, '--format', 'sarif');
  const results = resultsOf(out);
  expect(code).toBe(3);
  expect(results.find(({ ruleId }) => ruleId === 'manifest.unknown-field')).toMatchObject({
    level: 'error',
    message: { text: expect.stringContaining('colour') },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'keyplane.yaml' }, region: { startLine: 4 } } }],
  });
  expect(results.length).toBeGreaterThan(4);
  expect(new Set(results.map((each) => JSON.stringify(each.partialFingerprints))).size).toBe(results.length);
  expect(out).not.toContain('x'.repeat(48));
  expect(out).not.toContain('\u202e');
});

it('has no results for a valid manifest, and the warnings of another one', async () => {
  const none = await validated('keys: { a: { budget: unlimited } }\n', '--format', 'sarif');
  expect([none.code, resultsOf(none.out)]).toEqual([0, []]);
  const past = await validated(
    'keys: { a: { budget: unlimited, expires: 2001-01-01T00:00:00Z } }\n',
    '--format',
    'sarif',
  );
  expect([past.code, resultsOf(past.out)]).toMatchObject([0, [{ ruleId: 'manifest.past-expiry', level: 'warning' }]]);
});

it('writes reports in every format that it has, besides the result', async () => {
  const names = ['errors.sarif', 'errors.json', 'errors.txt'];
  const { code, out, folder } = await validated(WRONG, ...names.flatMap((name) => ['--report', name]));
  const [sarif = '', json = '', text] = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  expect([code, out]).toEqual([3, expect.stringContaining('manifest.unknown-field')]);
  const { diagnostics } = JSON.parse(json);
  expect(resultsOf(sarif).map(({ ruleId }) => ruleId)).toEqual(diagnostics.map((each: { code: string }) => each.code));
  expect(text).toContain('manifest.unknown-field');
});

it('refuses a report of another format, and one that cannot be written', async () => {
  const html = await validated('keys: {}\n', '--report', 'errors.html');
  expect([html.code, html.err]).toEqual([3, expect.stringContaining('.txt, .json, .sarif')]);
  const account = opened[0];
  await writeFile(join(account?.folder ?? '', 'plain'), '');
  const terminal = account?.terminal(false);
  expect(await terminal?.run('validate', '--report', 'plain/errors.sarif')).toBe(1);
});

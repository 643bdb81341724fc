import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodePlan } from '../../../src/manifest/index.ts';
import { openAccount } from '../account.ts';

type Account = Awaited<ReturnType<typeof openAccount>>;

async function ask(account: Account, ...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err() };
}

const MESSAGE = '1 of 2 owned keys would be deleted or disabled; the limit is 0.';

describe('a plan that the guard refuses', () => {
  let account: Account;
  const plan = (...words: string[]) => ask(account, 'plan', '--max-deletes', '0', ...words);
  beforeAll(async () => {
    account = await openAccount('ownership: { scope: "app-*", prune: delete }\nkeys: { app-1: {} }\n');
  });
  afterAll(() => account.close());

  it.each([
    ['text', /^error\[guard\.mass-change\]: /],
    ['markdown', /^> \*\*error\\\[guard\.mass-change\\\]\*\*: /],
    ['html', /<main>\n<p class="wrap failed" role="alert"><strong>error\[guard\.mass-change\]<\/strong>: /],
    ['json', /^\{"kind":"plan","version":1,"data":\{"refusals":\[\{"code":"guard\.mass-change"/],
  ])('exits with 4 and shows the refusal first as %s', async (format, first) => {
    const { code, out } = await plan('--format', format, '--detailed-exitcode');
    expect(code).toBe(4);
    expect(out).toMatch(first);
    const text = out.replace(/\s+/g, ' ').replaceAll('\\', '');
    expect(text).toContain(MESSAGE);
    expect(text).toContain('--max-deletes 1');
    expect(text).toContain('app-2');
  });

  it('is saved, and the flags are given again to apply it', async () => {
    const { code, err } = await plan('--out', 'plan.json', '--format', 'markdown');
    expect([code, err]).toEqual([4, expect.stringContaining('keyplane apply plan.json --max-deletes 0\n')]);
    expect(decodePlan(await readFile(join(account.folder, 'plan.json'), 'utf8')).changes).toHaveLength(2);
    const refused = await ask(account, 'apply', 'plan.json', '--yes', '--max-deletes', '0');
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('guard.mass-change')]);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it('is not saved to the file of a report, which would replace it', async () => {
    const { code, err } = await plan('--out', 'same.json', '--report', './same.json');
    expect([code, err]).toEqual([3, expect.stringContaining('"./same.json" is given for two outputs of one run.')]);
    await expect(readFile(join(account.folder, 'same.json'))).rejects.toThrow('ENOENT');
  });

  it('is a warning of drift, which exits with 2: only an apply can be refused', async () => {
    await writeFile(
      join(account.folder, 'root.yaml'),
      'version: 1\nownership: { protect: [app-2] }\nkeys: { app-2: { enabled: false }, app-1: {} }\n',
    );
    const firsts = {
      text: /^warning\[guard\.protected\]: /,
      markdown: /^> \*\*warning\\\[guard\.protected\\\]\*\*: /,
      html: /<p class="wrap unprovable" role="alert"><strong>warning\[guard\.protected\]/,
      tap: /\n# warning\[guard\.protected\]: /,
      junit: /<system-out>warning\[guard\.protected\]: /,
    };
    for (const [format, first] of Object.entries(firsts)) {
      const { code, out } = await ask(account, 'drift', '-f', 'root.yaml', '--format', format);
      expect(code).toBe(2);
      expect(out).toMatch(first);
    }
  });
});

describe('a report of a plan', () => {
  let account: Account;
  const read = (file: string): Promise<string> => readFile(join(account.folder, file), 'utf8');
  beforeAll(async () => {
    account = await openAccount('keys: { app-1: { group: vip } }\n');
  });
  afterAll(() => account.close());

  it('is written in addition to the result, in the format of its ending', async () => {
    const reports = ['--report', 'plan.md', '--report', 'plan.html', '--report', 'plan.txt', '--report', 'all.json'];
    const { code, out } = await ask(account, 'plan', ...reports, '--out', 'plan.json');
    expect([code, out]).toEqual([0, expect.stringMatching(/^Plan for /m)]);
    expect(await read('plan.md')).toMatch(/^## Plan: /m);
    expect(await read('plan.html')).toMatch(/^<!doctype html>/);
    expect((await read('plan.txt')).replace(/ +/g, ' ')).toBe(out.replace(/ +/g, ' '));
    expect(JSON.parse(await read('all.json'))).toMatchObject({ kind: 'plan', data: { summary: { pending: 1 } } });
    expect(decodePlan(await read('plan.json')).changes).toHaveLength(1);
  });

  it('is written in the format of --format where the ending does not determine one', async () => {
    const { code } = await ask(account, 'drift', '--format', 'markdown', '--report', 'step_summary');
    expect([code, await read('step_summary')]).toEqual([2, expect.stringMatching(/^## Drift: /)]);
  });

  it.each([
    [['plan', '--format', 'html', '--out', 'plan.html'], '--report plan.html'],
    [['plan', '--out', 'plan.md'], '--report plan.md'],
    [['plan', '--report', 'plan.xml'], '.txt, .json, .md, .html'],
    [['plan', '--report', 'plan'], '.txt, .json, .md, .html'],
    [['drift', '--report', 'gone/drift.md'], 'cannot be written'],
  ])('is refused before anything is sent: %j', async (words, advice) => {
    const { code, err } = await ask(account, ...words, '--verbose');
    expect([code, err.replace(/\s+/g, ' ')]).toEqual([words[0] === 'plan' ? 3 : 1, expect.stringContaining(advice)]);
    expect(err).not.toContain('GET ');
  });
});

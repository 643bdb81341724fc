import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTerminal } from '../terminal.ts';

const WRONG = 'version: 1\nkeys:\n  app: { grup: "<b>", budget: unlimited }\n';

describe('a run that ends without a result', () => {
  let folder: string;
  const run = async (...words: string[]) => {
    const terminal = openTerminal({ env: { HOME: folder, NO_COLOR: '1' }, cwd: folder });
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  };
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-failed-'));
    await writeFile(join(folder, 'keyplane.yaml'), WRONG);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['junit', '<error message="There is no field &quot;grup&quot; here." type="manifest.unknown-field">'],
    ['tap', 'not ok 1 - keyplane.yaml:3:10'],
    ['markdown', '- **keyplane.yaml:3:10**: There is no field "grup" here.<br>found: "grup"'],
    ['html', '<h1>keyplane drift failed</h1>'],
  ])('is reported by --format %s, with its cause', async (format, shown) => {
    const { code, out, err } = await run('drift', '--format', format);
    expect(code).toBe(3);
    expect(out).toContain(shown);
    expect(err).toContain('error[manifest.invalid]');
  });

  it('is reported in the files of --report and of --out, in place of an earlier result', async () => {
    const reports = ['drift.xml', 'drift.md', 'drift.json', 'drift.txt'];
    for (const file of reports) await writeFile(join(folder, file), 'yesterday');
    const flags = reports.flatMap((file) => ['--report', file]);
    const { code, out } = await run('drift', ...flags, '--format', 'tap', '--out', 'drift.tap');
    expect([code, out]).toEqual([3, '']);
    expect(await read('drift.tap')).toContain('not ok 1');
    expect(await read('drift.xml')).toContain('errors="1"');
    expect(await read('drift.md')).toContain('## keyplane drift failed');
    expect(await read('drift.txt')).toContain('error[manifest.invalid]');
    expect(JSON.parse(await read('drift.json'))).toMatchObject({ data: null, fault: { code: 'manifest.invalid' } });
  });

  it('names the fault where the manifest is valid', async () => {
    await writeFile(join(folder, 'keyplane.yaml'), 'version: 1\nkeys: {}\n');
    const { out } = await run('drift', '--format', 'junit', '--url', 'http://127.0.0.1:9', '--user-id', '42');
    expect(out).toContain('type="credentials.missing"');
  });

  it('leaves a saved plan, and a file behind a link that leads away, as they are', async () => {
    await writeFile(join(folder, 'plan.json'), 'yesterday');
    await run('plan', '--out', 'plan.json', '--format', 'markdown');
    expect(await read('plan.json')).toBe('yesterday');
    const outside = await mkdtemp(join(tmpdir(), 'keyplane-outside-'));
    await writeFile(join(outside, 'theirs.md'), 'theirs');
    await symlink(join(outside, 'theirs.md'), join(folder, 'plan.md'));
    const { err } = await run('plan', '--report', 'plan.md');
    expect(err).toContain('error[file.unwritable]');
    expect(await readFile(join(outside, 'theirs.md'), 'utf8')).toBe('theirs');
    await rm(outside, { recursive: true });
  });
});

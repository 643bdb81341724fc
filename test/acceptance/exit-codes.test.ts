import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from '../script-words.ts';
import { declarations, type Ended, openPlace, type Place, type RunOptions } from './place.ts';

describe('the exit code', () => {
  let place: Place;
  beforeAll(async () => {
    place = await openPlace(Array.from({ length: 12 }, (_, i) => ({ name: `old-${i}`, remain_quota: 500_000 })));
    await place.declare(declarations(2));
  });
  afterAll(() => place.close());
  /** In a process: its exit code is what counts. */
  const run = (words: readonly string[], options: RunOptions = {}): Promise<Ended> => place.start(words, options).ended;

  it('is 0 when nothing is wrong, 2 when drift is found', async () => {
    expect((await run(['plan'])).code).toBe(0);
    expect((await run(['drift'])).code).toBe(2);
  });

  it('is 1 when the gateway is not there', async () => {
    const { code, stderr } = await run(['keys', 'list', '--url', 'http://127.0.0.1:9', '--user-id', '42']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('gateway.unreachable') });
  });

  it('is 3 for a command line and for a manifest that is wrong, with the place of the error', async () => {
    expect((await run(['plam'])).stderr).toContain('Did you mean plan?');
    expect((await run(['plan', '--no-such-flag'])).code).toBe(3);
    expect((await run(['plan', '--format', 'pdf'])).stderr).toContain(
      'Invalid value "pdf" for --format: expected one of text,',
    );
    expect((await run(['keys'])).stderr).toContain('list, get, reveal');
    await place.write('bad.yaml', 'version: 1\nkeys:\n  a: { modles: [x] }\n');
    const { code, stderr } = await run(['plan', '-f', 'bad.yaml']);
    expect(code).toBe(3);
    expect(stderr).toContain('bad.yaml:3:8');
    expect(stderr).toContain('^^^^^^');
    expect((await run(['validate', '-f', 'bad.yaml'])).code).toBe(3);
  });

  it('is 4 when a guard refuses, which plan shows already, and the named flag lifts it', async () => {
    await place.declare(declarations(2), 'ownership: { scope: "*", prune: delete }');
    const plan = await run(['plan']);
    expect(plan).toMatchObject({ code: 4, stdout: expect.stringMatching(/^error\[guard.mass-change\]/) });
    const refused = await run(['apply', '--yes']);
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr.replace(/\s+/g, ' ')).toContain('pass --max-deletes 12 --allow-last-key.');
    expect(await place.keys()).toHaveLength(12);
    const lifted = ['apply', '--yes', '--key', 'old-*', '--max-deletes', '12', '--allow-last-key'];
    expect((await run(lifted)).code).toBe(0);
    expect(await place.keys()).toEqual([]);
    await place.declare(declarations(2));
  });

  it('is 5 when one change of two fails', async () => {
    await place.control('POST', '/faults', { kind: 'refuse', method: 'POST', path: '/api/token/', times: 1 });
    const { code, stdout } = await run(['apply', '--yes']);
    expect({ code, stdout }).toMatchObject({ code: 5, stdout: expect.stringContaining('1 applied, 1 failed') });
    expect((await run(['apply', '--yes'])).code).toBe(0);
  });

  it('is 7 for credentials that are refused or missing', async () => {
    const env = { KEYPLANE_ACCESS_TOKEN: 'wrong' };
    expect(await run(['drift'], { env })).toMatchObject({ code: 7 });
    const missing = await run(['drift'], { bare: true });
    expect(missing).toMatchObject({ code: 7, stderr: expect.stringContaining('KEYPLANE_ACCESS_TOKEN_FILE') });
    expect((await run(['doctor'], { env })).code).toBe(7);
  });

  it('goes with an envelope in JSON, whatever happened', async () => {
    const kinds: [string[], string, string][] = [
      [['drift', '-f', 'nowhere.yaml'], 'drift', 'manifest.invalid'],
      [['apply', '--key', 'app-1', 'gone.json'], 'apply', 'plan.unreadable'],
      [['nonsense'], 'command-line', 'usage.invalid'],
    ];
    for (const [words, kind, code] of kinds) {
      const { stdout } = await run([...words, '--format', 'json']);
      expect(JSON.parse(stdout)).toMatchObject({ kind, version: 1, data: null, fault: { code } });
    }
  });

  it('is 0, without a word, when the reader goes away', async () => {
    const child = spawn(process.execPath, [PROGRAM, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.runIf(existsSync('/dev/full'))('is 1 when the disk is full and the result is lost', async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [PROGRAM, 'completion', 'bash'], { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('file.unwritable') });
  });
});

import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAM } from '../script-words.ts';
import { declarations, openPlace, type Place } from './place.ts';

const CREATE = { method: 'POST', path: '/api/token/' };
const ONE_BY_ONE = ['apply', '--yes', '--concurrency', '1'];

describe('an apply that is interrupted', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
    await place.declare(declarations(5));
  });
  afterEach(() => place.close());

  const names = async () => (await place.keys()).map(({ name }) => name).sort();
  const ALL = ['app-1', 'app-2', 'app-3', 'app-4', 'app-5'];
  const heldRequests = (): Promise<unknown> => place.control('GET', '/held?wait=1');

  it('finishes what is under way, reports, and ends with 130; the next run converges', async () => {
    await place.control('POST', '/faults', { kind: 'hold', ...CREATE, skip: 2, times: 1 });
    const apply = place.start(ONE_BY_ONE);
    await heldRequests();
    apply.child.kill('SIGINT');
    await apply.shows('Interrupted');
    await place.control('POST', '/release', {});
    const { code, stdout } = await apply.ended;
    expect({ code, stdout }).toMatchObject({
      code: 130,
      stdout: expect.stringContaining('3 applied, 2 skipped, interrupted'),
    });
    expect(await names()).toEqual(['app-1', 'app-2', 'app-3']);
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect(await names()).toEqual(ALL);
  });

  it('ends at once at the second signal, and names what is open', async () => {
    await place.control('POST', '/faults', { kind: 'hold', ...CREATE, skip: 1, times: 1 });
    const apply = place.start(ONE_BY_ONE);
    await heldRequests();
    apply.child.kill('SIGTERM');
    await apply.shows('Interrupted');
    apply.child.kill('SIGINT');
    const { code, stderr } = await apply.ended;
    expect(code).toBe(130);
    expect(stderr.slice(stderr.indexOf('error['))).toMatchInlineSnapshot(`
      "error[gateway.interrupted]: Interrupted by SIGINT. Not finished; sent requests
        may still take effect:
        - create   app-1
        - create   app-2
        - create   app-3
        - create   app-4
        - create   app-5
        hint: Run the command again: it continues with the unfinished work.
      "
    `);
    await place.control('POST', '/release', {});
  });

  it('continues when nobody reads its output any more', async () => {
    await place.control('POST', '/faults', { kind: 'hold', ...CREATE, times: 1 });
    const apply = place.start(ONE_BY_ONE);
    await heldRequests();
    apply.child.stderr?.destroy();
    apply.child.stdout?.destroy();
    await place.control('POST', '/release', {});
    expect((await apply.ended).code).toBe(0);
    expect(await names()).toEqual(ALL);
  });

  it('loses and doubles nothing when it is killed after a create took effect', async () => {
    await place.control('POST', '/faults', { kind: 'hold-after', ...CREATE, skip: 2, times: 1 });
    const apply = place.start(ONE_BY_ONE);
    await heldRequests();
    apply.child.kill('SIGKILL');
    await apply.ended;
    await place.control('POST', '/release', {});
    expect(await names()).toEqual(['app-1', 'app-2', 'app-3']);
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect(await names()).toEqual(ALL);
    expect((await place.run(['drift'])).code).toBe(0);
  });

  it('keeps a second apply to the same account out, and no command that only reads', async () => {
    await place.control('POST', '/faults', { kind: 'hold', ...CREATE, times: 1 });
    const first = place.start(ONE_BY_ONE);
    await heldRequests();
    const second = await place.run(['apply', '--yes']);
    expect(second).toMatchObject({ code: 4, stderr: expect.stringContaining('apply.locked') });
    expect((await place.run(['plan'])).code).toBe(0);
    await place.control('POST', '/release', {});
    expect((await first.ended).code).toBe(0);
    expect(await names()).toEqual(ALL);
  });

  it('ends a command that only reads at once', async () => {
    await place.control('POST', '/faults', { kind: 'hold', method: 'GET', path: '/api/token/', times: 1 });
    const plan = place.start(['plan']);
    await heldRequests();
    plan.child.kill('SIGINT');
    expect(await plan.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringContaining('gateway.interrupted'),
    });
    await place.control('POST', '/release', {});
  });

  it('stops between two keys that are disabled by hand when the terminal is closed, and lists the rest', async () => {
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    await place.control('POST', '/faults', { kind: 'hold', method: 'PUT', path: '/api/token/', times: 1 });
    const disable = place.start(['keys', 'disable', 'app-1', 'app-2', '--yes']);
    await heldRequests();
    disable.child.kill('SIGHUP');
    await disable.shows('Interrupted');
    await place.control('POST', '/release', {});
    const { code, stdout } = await disable.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/^app-1 \(id \d+\): disabled\napp-2 \(id \d+\): skipped: interrupted before it started/);
  });
});

describe.skipIf(process.platform === 'win32')('a manifest from a pipe', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
    await place.declare(declarations(2));
  });
  afterEach(() => place.close());

  it('does not keep the program from ending at a signal while nobody writes', async () => {
    const pipe = join(place.folder, 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    const plan = place.start(['plan', '-f', 'pipe.yaml']);
    // Opens once the program reads.
    const writer = await open(pipe, 'w');
    plan.child.kill('SIGTERM');
    const killed = setTimeout(() => plan.child.kill('SIGKILL'), 30_000);
    expect((await plan.ended).code).toBe(130);
    clearTimeout(killed);
    await writer.close();
  });

  it('is read when a shell provides it', () => {
    const shell = '"$0" "$1" validate -f <(cat keyplane.yaml)';
    const words = ['-c', shell, process.execPath, PROGRAM];
    expect(execFileSync('bash', words, { cwd: place.folder, encoding: 'utf8' })).toContain('valid');
  });
});

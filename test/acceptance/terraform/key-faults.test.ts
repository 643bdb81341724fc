import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key, planned, stateOf } from './changes.ts';
import { openInstalledStack, openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const CREATE = { method: 'POST', path: '/api/token/' };
const LIST = { method: 'GET', path: '/api/token/' };

const creates = ({ folder }: Place): string => join(folder, '.local/state/keyplane/creates');

const journalsOf = (place: Place): Promise<readonly string[]> => readdir(creates(place));

async function writerOfJournal(place: Place): Promise<number> {
  const [file = ''] = await journalsOf(place);
  return JSON.parse(await readFile(join(creates(place), file), 'utf8')).process.pid;
}

const errorsIn = (stderr: string): readonly string[] => stderr.match(/^Error: .*/gm) ?? [];

describe('terraform, when the gateway fails', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
  });
  afterEach(() => place?.close());

  const fail = (...scripts: readonly object[]) => place.control('POST', '/faults', scripts);
  const names = async () => (await place.keys()).map(({ name }) => name).sort();
  /** Whatever went wrong: applying again ends with what is declared, and nothing else is there. */
  const expectConverges = async (declared: readonly string[]) => {
    await place.control('DELETE', '/faults');
    await expectApplied(stack);
    await expectSettled(stack);
    expect(await names()).toEqual([...declared].sort());
  };

  it('finds a key whose create lost its answer, and makes no other', async () => {
    stack = await openStack(place, key('one') + key('two') + key('three'));
    await fail({ ...CREATE, kind: 'cut-after', times: 2 });
    const output = await expectApplied(stack);
    expect(output).toContain('Its response was lost; the key was found by its name');
    await expectSettled(stack);
    expect(await names()).toEqual(['one', 'three', 'two']);
  });

  it('adopts a key that was made while the gateway died', async () => {
    stack = await openStack(place, key('one'));
    await fail({ ...CREATE, kind: 'cut-after' }, { ...LIST, kind: 'cut-before', skip: 2, times: 99 });
    const lost = await stack.run('apply', '-auto-approve');
    expect([lost.code, await names()]).toEqual([1, ['one']]);
    await place.control('DELETE', '/faults');
    expect((await stack.run('state', 'list')).stdout).toBe('');
    const [before] = await place.keys();
    expect((await stack.run('plan')).stdout).toContain('Adopts the key 1, which an interrupted run created');
    await expectConverges(['one']);
    expect(await place.keys()).toMatchObject([{ id: before?.id }]);
  });

  it('forgets a key that turns out not to have been made', async () => {
    stack = await openStack(place, key('one'));
    await fail({ ...CREATE, kind: 'cut-before' }, { ...LIST, kind: 'cut-before', skip: 2, times: 99 });
    expect((await stack.run('apply', '-auto-approve')).code).toBe(1);
    await place.control('DELETE', '/faults');
    expect(await planned(stack)).toEqual({ one: 'create' });
    await expectConverges(['one']);
  });

  it('taints a key that was made but could not be disabled', async () => {
    stack = await openStack(place, key('off', 'enabled = false\n  budget = { usd = 1, per = "lifetime" }'));
    await fail({ method: 'PUT', path: '/api/token/', kind: 'refuse', message: 'not today', times: 9 });
    const half = await stack.run('apply', '-auto-approve');
    expect([half.code, errorsIn(half.stderr)]).toEqual([1, [expect.stringContaining('not today')]]);
    expect((await stack.run('state', 'list')).stdout).toContain('keyplane_api_key.off');
    await place.control('DELETE', '/faults');
    expect(await planned(stack)).toEqual({ off: 'delete+create' });
    await expectConverges(['off']);
  });

  it('reports a name that is taken, and creates no second key', async () => {
    stack = await openStack(
      place,
      `${key('one')}resource "keyplane_api_key" "twin" {\n  name = "one"\n  budget = { usd = 1, per = "lifetime" }\n}\n`,
    );
    const { code, stderr } = await stack.run('apply', '-auto-approve');
    expect([code, errorsIn(stderr), await names()]).toEqual([
      1,
      [expect.stringContaining('A key named "one" already exists')],
      ['one'],
    ]);
  });

  it('is true after an update, a delete or a refresh that failed', async () => {
    stack = await openStack(place, key('one') + key('two'));
    await expectApplied(stack);
    await stack.configure(key('one', 'group = "vip"\n  budget = { usd = 2, per = "lifetime" }') + key('two'));
    await fail({ method: 'PUT', path: '/api/token/', kind: 'refuse', message: 'not today' });
    const refused = await stack.run('apply', '-auto-approve');
    expect([refused.code, errorsIn(refused.stderr)]).toEqual([1, [expect.stringContaining('not today')]]);
    expect(await stateOf(stack, 'keyplane_api_key.one')).toMatchObject({ group: null, budget: { usd: 1 } });
    await fail({ method: 'PUT', path: '/api/token/', kind: 'cut-after' });
    await expectApplied(stack);
    await expectSettled(stack);

    await stack.configure(key('one', 'group = "vip"\n  budget = { usd = 2, per = "lifetime" }'));
    await fail(
      { method: 'DELETE', path: '/api/token/{id}', kind: 'refuse', message: 'not today' },
      { method: 'POST', path: '/api/token/batch', kind: 'refuse', message: 'not today' },
    );
    expect((await stack.run('apply', '-auto-approve')).code).toBe(1);
    expect((await stack.run('state', 'list')).stdout).toContain('keyplane_api_key.two');
    await place.control('DELETE', '/faults');
    await fail({ ...LIST, kind: 'html', times: 9 });
    const unread = await stack.run('plan');
    expect([unread.code, unread.stderr]).toEqual([1, expect.stringContaining('a page titled “Bad gateway”')]);
    await expectConverges(['one']);
  });

  it('waits as long as the gateway asks', async () => {
    stack = await openStack(place, key('one') + key('two'));
    await fail({ ...CREATE, kind: 'empty-429', retryAfter: 1 }, { ...LIST, kind: 'empty-429', retryAfter: 1 });
    await expectApplied(stack);
    expect(await names()).toEqual(['one', 'two']);
  });

  it('finishes what it is at when it is interrupted, and forgets nothing', async () => {
    const installed = await openInstalledStack(place, key('one') + key('two'));
    stack = installed;
    await fail({ ...CREATE, kind: 'hold-after', times: 2 });
    const { child, ended } = installed.start(['apply', '-auto-approve']);
    await place.control('GET', '/held?wait=2');
    child.kill('SIGINT');
    await place.control('POST', '/release', {});
    const { code } = await ended;
    expect(code).not.toBe(null);
    await expectConverges(['one', 'two']);
  });

  it.each(['hold', 'hold-after'])(
    'ends no update in a crash when it is interrupted, and the state is true (%s)',
    async (kind) => {
      const names = ['one', 'two', 'three'];
      const installed = await openInstalledStack(place, names.map((name) => key(name)).join(''));
      stack = installed;
      await expectApplied(stack);
      await stack.configure(names.map((name) => key(name, 'group = "vip"')).join(''));
      await fail({ method: 'PUT', path: '/api/token/', kind, times: 2 });
      const { child, ended } = installed.start(['apply', '-auto-approve']);
      await place.control('GET', '/held?wait=2');
      child.kill('SIGINT');
      await place.control('POST', '/release', {});
      const { stdout, stderr } = await ended;
      expect(stdout + stderr).not.toMatch(/crash|panic|did not respond|defect|AbortError/i);
      await expectConverges(names);
      expect((await place.keys()).map(({ group }) => group)).toEqual(['vip', 'vip', 'vip']);
    },
  );

  it('adopts the keys of a provider that was killed, and not in another workspace', async () => {
    const configuration = ['one', 'two', 'three'].map((name) => key(name)).join('');
    const installed = await openInstalledStack(place, configuration);
    stack = installed;
    await fail({ ...CREATE, kind: 'hold-after', times: 3 });
    const { ended } = installed.start(['apply', '-auto-approve']);
    await place.control('GET', '/held?wait=3');
    const before = await place.keys();
    process.kill(await writerOfJournal(place), 'SIGKILL');
    expect((await ended).code).toBe(1);
    await place.control('POST', '/release', {});
    await place.control('DELETE', '/faults');
    expect((await stack.run('state', 'list')).stdout).toBe('');
    expect((await stack.run('workspace', 'new', 'other')).code).toBe(0);
    const foreign = await stack.run('apply', '-auto-approve');
    expect([foreign.code, errorsIn(foreign.stderr).length, foreign.stdout]).toEqual([
      1,
      3,
      expect.not.stringContaining('Adopts'),
    ]);
    // Whoever follows the warning or the error must not put one key into two states.
    for (const text of [foreign.stdout, foreign.stderr])
      expect(text.replaceAll(/\s+/g, ' ')).toContain('If another state has it, such as that of another workspace');
    expect((await stack.run('workspace', 'select', 'default')).code).toBe(0);
    expect((await stack.run('plan')).stdout.match(/Adopts the key \d, which an interrupted run created/g)).toHaveLength(
      3,
    );
    await expectConverges(['one', 'two', 'three']);
    const ids = (keys: typeof before) => keys.map(({ id, name }) => `${id} ${name}`).sort();
    expect(ids(await place.keys())).toEqual(ids(before));
    expect(await journalsOf(place)).toEqual([]);
  });
});

import { appendFile, chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTaskFile } from '../../../src/checks/index.ts';

const TASK = { key: 7, check: 'film', model: 'delta-H3', request: { prompt: 'a harbour' } };

let folder = '';
let path = '';
const living = new Set<number>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-tasks-'));
  path = join(folder, 'deep', 'tasks.jsonl');
  living.clear();
});
afterEach(() => rm(folder, { recursive: true }));

/** A run of some process. Processes that are not listed as alive have ended. */
const run = (name: string, more: { resubmit?: boolean; pid?: number; account?: string } = {}) =>
  openTaskFile({
    path,
    account: more.account ?? 'https://gateway.example 42',
    run: name,
    owner: { pid: more.pid ?? 1, host: 'here', started: 'then' },
    isAlive: async ({ pid }) => living.has(pid),
    now: () => 1_800_000_000_000,
    resubmit: more.resubmit ?? false,
  });

/** Claims a task that must be free, and continues with it. */
async function free(name: string, task = TASK) {
  const earlier = await run(name).claim(task);
  if (earlier.state !== 'free') throw new Error(`it is ${earlier.state}`);
  return earlier.submission;
}

describe('The ledger of paid tasks', () => {
  it('lets a task be submitted that nobody has submitted', async () => {
    expect((await run('a').claim(TASK)).state).toBe('free');
  });

  it('gives the next run the task that was submitted', async () => {
    await (await free('a')).submitted('task-1');
    expect(await run('b').claim(TASK)).toMatchObject({
      state: 'submitted',
      taskId: 'task-1',
      submittedAt: 1_800_000_000,
    });
  });

  it('calls it indeterminate when a run was killed while it submitted', async () => {
    await free('a');
    expect(await run('b').claim(TASK)).toEqual({ state: 'indeterminate', submittedAt: 1_800_000_000 });
  });

  it('calls it indeterminate when the answer was lost, also while that run goes on', async () => {
    living.add(1);
    await (await free('a')).lost();
    expect((await run('b').claim(TASK)).state).toBe('indeterminate');
    expect((await run('a').claim(TASK)).state).toBe('indeterminate');
  });

  it('does not count as lost when the task id was recorded after all', async () => {
    const submission = await free('a');
    await submission.lost();
    await submission.submitted('task-1');
    expect((await run('b').claim(TASK)).state).toBe('submitted');
  });

  it('lets it be submitted again once it was refused, or has been looked at', async () => {
    await (await free('a')).refused();
    const submission = await free('b');
    await submission.submitted('task-1');
    await submission.settled();
    expect((await run('c').claim(TASK)).state).toBe('free');
  });

  it('lets what is indeterminate be submitted again only when reported so', async () => {
    await free('a');
    expect((await run('b', { resubmit: true }).claim(TASK)).state).toBe('free');
    expect((await run('c').claim(TASK)).state).toBe('indeterminate');
  });

  it('does not submit a task again that is there, however it is reported', async () => {
    await (await free('a')).submitted('task-1');
    expect((await run('b', { resubmit: true }).claim(TASK)).state).toBe('submitted');
  });

  it('keeps off while a run that lives is submitting', async () => {
    living.add(1);
    await free('a');
    expect((await run('b', { pid: 2 }).claim(TASK)).state).toBe('busy');
  });

  it('lets exactly one of many concurrent runs submit', async () => {
    for (let pid = 1; pid <= 20; pid += 1) living.add(pid);
    const runs = Array.from({ length: 20 }, (_, n) => run(`run-${n}`, { pid: n + 1 }));
    const states = (await Promise.all(runs.map((each) => each.claim(TASK)))).map(({ state }) => state);
    expect(states.filter((state) => state === 'free')).toHaveLength(1);
    expect(states.filter((state) => state === 'busy')).toHaveLength(19);
  });

  it('lets one of two runs submit again that were reported so at the same time', async () => {
    living.add(2).add(3);
    await free('a');
    const [b, c] = [run('b', { resubmit: true, pid: 2 }), run('c', { resubmit: true, pid: 3 })];
    const states = (await Promise.all([b.claim(TASK), c.claim(TASK)])).map(({ state }) => state);
    expect(states.filter((state) => state === 'free')).toHaveLength(1);
  });

  it('does not take the end of one submission for that of the next', async () => {
    const first = await free('a');
    await first.submitted('task-1');
    const late = await run('b').claim(TASK);
    await first.settled();
    await (await free('c')).submitted('task-2');
    if (late.state === 'submitted') await late.submission.settled();
    expect(await run('d').claim(TASK)).toMatchObject({ state: 'submitted', taskId: 'task-2' });
  });

  it('reports an unfinished paid task without claiming it', async () => {
    expect(await run('a').isUnderWay(TASK)).toBe(false);
    const submission = await free('a');
    expect(await run('b').isUnderWay(TASK)).toBe(false);
    await submission.submitted('task-1');
    expect(await run('b').isUnderWay(TASK)).toBe(true);
    await submission.settled();
    expect(await run('b').isUnderWay(TASK)).toBe(false);
  });

  it.each([
    ['key', { ...TASK, key: 8 }],
    ['check', { ...TASK, check: 'other' }],
    ['model', { ...TASK, model: 'other' }],
    ['request', { ...TASK, request: { prompt: 'a mountain' } }],
  ])('takes another %s for another task', async (_, other) => {
    await (await free('a')).submitted('task-1');
    expect((await run('b').claim(other)).state).toBe('free');
  });

  it('takes the same key of another account for another task', async () => {
    await (await free('a')).submitted('task-1');
    expect((await run('b', { account: 'https://gateway.example 43' }).claim(TASK)).state).toBe('free');
  });

  it('reads on after a line that a crash tore, and after lines of somebody else', async () => {
    await (await free('a')).submitted('task-1');
    await appendFile(path, '{"step":"settled","task":"');
    expect((await run('b').claim(TASK)).state).toBe('submitted');
    await appendFile(path, 'null\n[]\n"x"\n{}\n');
    expect((await run('c').claim(TASK)).state).toBe('submitted');
    await free('d', { ...TASK, check: 'other' });
    expect((await run('e').claim(TASK)).state).toBe('submitted');
  });

  it('is for its owner only, and holds no request', async () => {
    await (await free('a')).submitted('task-1');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await chmod(path, 0o644);
    await free('b', { ...TASK, key: 8 });
    expect([(await stat(path)).mode & 0o777, (await stat(join(folder, 'deep'))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await readFile(path, 'utf8')).not.toContain('harbour');
  });

  it('refuses a submission that it cannot record', async () => {
    await free('a');
    const blocked = openTaskFile({
      path: join(path, 'below-a-file'),
      account: '',
      run: 'x',
      owner: { pid: 1, host: 'here', started: null },
      isAlive: async () => false,
      now: () => 0,
      resubmit: false,
    });
    await expect(blocked.claim(TASK)).rejects.toMatchObject({ code: 'file.unwritable' });
  });
});

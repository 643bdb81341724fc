import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Submission } from '../../../src/checks/tasks/ledger.ts';
import { openTaskFile } from '../../../src/checks/tasks/task-file.ts';
import { Fault, keyId, quota, type UsageEntry } from '../../../src/domain/index.ts';

const TASK = { key: 7, check: 'film', model: 'delta-H3', request: { prompt: 'a harbour' } };

let folder = '';
let path = '';
const living = new Set<number>();
/** Unix seconds. */
const NOW = 1_800_000_000;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-tasks-'));
  path = join(folder, 'deep', 'tasks.jsonl');
  living.clear();
});
afterEach(() => rm(folder, { recursive: true }));

interface More {
  readonly resubmit?: boolean;
  readonly pid?: number;
  readonly host?: string;
  readonly now?: number;
  readonly url?: string;
  readonly userId?: number;
  readonly logged?: readonly UsageEntry[];
  readonly usage?: () => never;
}

/** The charge of a submission at the time of the runs. */
const charge = (more: Partial<UsageEntry> = {}): UsageEntry => ({
  identity: JSON.stringify(more),
  at: 1_800_000_003,
  keyId: keyId(7),
  keyName: 'studio',
  model: 'delta-H3',
  path: '/v1/video/generations',
  spent: quota(50_000),
  ...more,
});

/** A run of some process. Processes that are not listed as alive have ended. */
const run = (name: string, more: More = {}) =>
  openTaskFile({
    path,
    account: { url: more.url ?? 'https://gateway.example', userId: more.userId ?? 42 },
    usage:
      more.usage ??
      async function* () {
        yield more.logged ?? [];
      },
    run: name,
    owner: { pid: more.pid ?? 1, host: more.host ?? 'here', started: 'then' },
    hasEnded: async ({ pid, host }) => (host === 'here' ? !living.has(pid) : undefined),
    now: () => (more.now ?? NOW) * 1000,
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
    expect(await run('b').claim(TASK)).toEqual({
      state: 'indeterminate',
      submittedAt: 1_800_000_000,
      charges: [],
    });
  });

  it.each([-3600, 3600])('looks it up when a run elsewhere began to submit it %d seconds from now', async (seconds) => {
    await run('a', { host: 'runner-1', now: NOW + seconds }).claim(TASK);
    expect((await run('b', { now: NOW + seconds - Math.sign(seconds) * 3599 }).claim(TASK)).state).toBe('busy');
    expect((await run('b').claim(TASK)).state).toBe('indeterminate');
    expect((await run('b', { resubmit: true }).claim(TASK)).state).toBe('free');
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

  it('submits a task whose result could not be read only on request', async () => {
    const first = await free('a');
    await first.submitted('task_1');
    await first.unread();
    expect(await run('b').claim(TASK)).toMatchObject({ state: 'submitted', taskId: 'task_1' });
    expect((await run('c', { resubmit: true }).claim(TASK)).state).toBe('free');
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
    expect((await run('b', { userId: 43 }).claim(TASK)).state).toBe('free');
  });

  it.each([
    ['http://localhost:3000', 'http://127.0.0.1:3000'],
    ['http://localhost:3000', 'http://[::1]:3000/'],
    ['http://LOCALHOST:3000', 'http://localhost.:3000'],
    ['http://localhost', 'http://127.0.0.1:80'],
    ['https://Gateway.Example', 'https://gateway.example.:443/'],
  ])('takes %s and %s for one gateway', async (one, other) => {
    const earlier = await run('a', { url: one }).claim(TASK);
    if (earlier.state !== 'free') throw new Error(`it is ${earlier.state}`);
    await earlier.submission.submitted('task-1');
    expect((await run('b', { url: other }).claim(TASK)).state).toBe('submitted');
  });

  it.each([
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3001'],
    ['http://127.0.0.1:3000', 'https://127.0.0.1:3000'],
    ['http://127.0.0.1:3000', 'http://127.0.0.2:3000'],
  ])('takes %s and %s for two gateways', async (one, other) => {
    await run('a', { url: one }).claim(TASK);
    expect((await run('b', { url: other }).claim(TASK)).state).toBe('free');
  });

  it('continues with the task that the usage log names, even when it may be submitted again', async () => {
    await (await free('a')).lost();
    const logged = [charge({ taskId: 'task-1' })];
    expect(await run('b', { logged, resubmit: true }).claim(TASK)).toMatchObject({
      state: 'submitted',
      taskId: 'task-1',
    });
    expect(await run('c').claim(TASK)).toMatchObject({ state: 'submitted', taskId: 'task-1' });
  });

  it.each([
    ['of another key', { keyId: keyId(8) }],
    ['of another model', { model: 'other' }],
    ['of another kind', { path: '/v1/chat/completions' }],
    ['of an earlier time', { at: 1_799_999_000 }],
    ['of a later time', { at: 1_800_009_000 }],
    ['that was a refund', { spent: quota(-50_000) }],
  ])('does not take a charge %s for that of a lost submission', async (_, other) => {
    await (await free('a')).lost();
    const claimed = await run('b', { logged: [charge({ taskId: 'task-1', ...other })] }).claim(TASK);
    expect(claimed).toMatchObject({ state: 'indeterminate', charges: [] });
  });

  it('continues with none of two tasks that could be the lost one, nor with that of another submission', async () => {
    const film = { ...TASK, check: 'other' };
    await (await free('a', film)).submitted('task-1');
    await (await free('b')).lost();
    const logged = ['task-1', 'task-2', 'task-3'].map((taskId) => charge({ taskId }));
    expect(await run('c', { logged }).claim(TASK)).toMatchObject({ state: 'indeterminate', charges: [50_000, 50_000] });
    expect(await run('c', { logged: logged.slice(0, 2) }).claim(TASK)).toMatchObject({ taskId: 'task-2' });
  });

  it('stays indeterminate when the usage log cannot be read', async () => {
    await (await free('a')).lost();
    const usage = () => {
      throw new Fault('gateway.unreachable', 'no log');
    };
    const claimed = await run('b', { usage }).claim(TASK);
    expect(claimed).toEqual({ state: 'indeterminate', submittedAt: 1_800_000_000 });
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

  it('is not written through a link out of its folder, which may have come with the manifest', async () => {
    const victim = join(folder, 'victim');
    await mkdir(join(folder, 'deep'));
    await symlink(victim, path);
    await expect(free('a')).rejects.toMatchObject({ code: 'file.unwritable' });
    await writeFile(victim, 'precious\n', { mode: 0o644 });
    await expect(free('a')).rejects.toMatchObject({ code: 'file.unwritable' });
    expect([await readFile(victim, 'utf8'), (await stat(victim)).mode & 0o777]).toEqual(['precious\n', 0o644]);
  });

  it('refuses a submission that it cannot record', async () => {
    await free('a');
    const blocked = openTaskFile({
      path: join(path, 'below-a-file'),
      account: { url: 'https://gateway.example', userId: 1 },
      usage: async function* () {},
      run: 'x',
      owner: { pid: 1, host: 'here', started: null },
      hasEnded: async () => true,
      now: () => 0,
      resubmit: false,
    });
    await expect(blocked.claim(TASK)).rejects.toMatchObject({
      code: 'file.unwritable',
      hint: expect.stringContaining('Nothing was submitted'),
      remedy: 'name-task-ledger',
    });
  });

  it.each([
    ['submitted', (submission: Submission) => submission.submitted('task-1')],
    ['lost', (submission: Submission) => submission.lost()],
    ['settled', (submission: Submission) => submission.settled()],
  ] as const)('proposes no other ledger once a video may be paid for: %s', async (_, record) => {
    const submission = await free('a');
    const text = await readFile(path, 'utf8');
    await rm(path);
    await mkdir(path);
    const thrown = await record(submission).catch((fault: unknown) => fault);
    expect(thrown).toMatchObject({ code: 'file.unwritable', hint: expect.stringContaining('paid for') });
    expect(thrown).toMatchObject({ hint: expect.not.stringContaining('Nothing was submitted'), remedy: undefined });
    await rm(path, { recursive: true });
    await writeFile(path, text);
    expect((await run('b', { logged: [charge({ taskId: 'task-1' })] }).claim(TASK)).state).toBe('submitted');
  });
});

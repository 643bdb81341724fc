import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ModelPace,
  type TaskTransition,
  type TimedTask,
  upcomingTransitions,
} from '../../../../src/reference/media/video/timetable.ts';

const PACE: ModelPace = { queueSeconds: 1, runSeconds: 4, since: -Infinity, fails: false };

const task = (task_id: string, more: Partial<TimedTask> = {}): TimedTask => ({
  task_id,
  created_at: 0,
  priority: 0,
  expires_at: undefined,
  started_at: undefined,
  status: 'queued',
  error: undefined,
  ...more,
});

const shown = (steps: readonly TaskTransition[]): readonly string[] =>
  steps.map(({ task_id, at, status }) => `${at} ${task_id} ${status}`);

describe('the timetable of video tasks', () => {
  it('lets a task wait, run and succeed', () => {
    expect(shown(upcomingTransitions([task('a')], PACE))).toEqual(['1 a in_progress', '5 a succeeded']);
  });

  it('lets a task of a failing model, or one with an error, fail at the end of its run', () => {
    expect(shown(upcomingTransitions([task('a')], { ...PACE, fails: true }))).toEqual([
      '1 a in_progress',
      '5 a failed',
    ]);
    const error = { code: 1, message: 'no' };
    expect(shown(upcomingTransitions([task('a', { error })], PACE))).toEqual(['1 a in_progress', '5 a failed']);
  });

  it('does not start a running task again', () => {
    expect(shown(upcomingTransitions([task('a', { started_at: 3, status: 'in_progress' })], PACE))).toEqual([
      '7 a succeeded',
    ]);
  });

  it('expires a task before its start or during its run', () => {
    expect(shown(upcomingTransitions([task('a', { expires_at: 1 })], PACE))).toEqual(['1 a expired']);
    expect(shown(upcomingTransitions([task('a', { expires_at: 4 })], PACE))).toEqual([
      '1 a in_progress',
      '4 a expired',
    ]);
    expect(shown(upcomingTransitions([task('a', { expires_at: 5 })], PACE))).toEqual([
      '1 a in_progress',
      '5 a succeeded',
    ]);
  });

  it('runs any number of tasks concurrently when the model has no slots', () => {
    expect(shown(upcomingTransitions([task('a'), task('b')], PACE))).toEqual([
      '1 a in_progress',
      '1 b in_progress',
      '5 a succeeded',
      '5 b succeeded',
    ]);
  });

  it('starts the highest priority first, and equal ones in the order of submission', () => {
    const tasks = [task('a'), task('b'), task('c', { priority: 5 }), task('d', { priority: 5 })];
    const starts = upcomingTransitions(tasks, { ...PACE, slots: 1 }).filter(({ status }) => status === 'in_progress');
    expect(shown(starts).map((line) => line.split(' in')[0])).toEqual(['1 c', '5 d', '9 a', '13 b']);
  });

  it('does not interrupt a running task for a higher priority', () => {
    const running = task('a', { started_at: 1, status: 'in_progress' });
    const urgent = task('b', { created_at: 2, priority: 9 });
    expect(shown(upcomingTransitions([running, urgent], { ...PACE, slots: 1 }))).toEqual([
      '5 a succeeded',
      '5 b in_progress',
      '9 b succeeded',
    ]);
  });

  it('gives the slot of an expired task to the next one', () => {
    const tasks = [task('a', { started_at: 1, status: 'in_progress', expires_at: 3 }), task('b')];
    expect(shown(upcomingTransitions(tasks, { ...PACE, slots: 1 }))).toEqual([
      '3 a expired',
      '3 b in_progress',
      '7 b succeeded',
    ]);
  });

  it('does not start a task in a slot before that is free', () => {
    expect(shown(upcomingTransitions([task('a')], { ...PACE, slots: 1, since: 20 }))).toEqual([
      '20 a in_progress',
      '24 a succeeded',
    ]);
  });

  const arbitraryTasks = fc
    .array(
      fc.record({
        created_at: fc.nat(30),
        priority: fc.nat(9),
        expires_at: fc.option(fc.nat(60), { nil: undefined }),
      }),
      { maxLength: 12 },
    )
    .map((list) =>
      list
        .sort((a, b) => a.created_at - b.created_at)
        .map((given, index) =>
          task(`t${index}`, {
            ...given,
            ...(given.expires_at === undefined ? {} : { expires_at: given.created_at + given.expires_at }),
          }),
        ),
    );
  const arbitraryPace = fc.record({
    queueSeconds: fc.nat(5),
    runSeconds: fc.nat(9),
    slots: fc.integer({ min: 1, max: 3 }),
  });

  it('ends every task once, and never runs more tasks concurrently than there are slots', () => {
    fc.assert(
      fc.property(arbitraryTasks, arbitraryPace, (tasks, given) => {
        const steps = upcomingTransitions(tasks, { ...PACE, ...given });
        let running = 0;
        const isRunning = new Set<string>();
        for (const [index, { task_id, at, status }] of steps.entries()) {
          expect(at).toBeGreaterThanOrEqual(steps[index - 1]?.at ?? -Infinity);
          if (status === 'in_progress') isRunning.add(task_id);
          else isRunning.delete(task_id);
          // Within one second a slot is left and taken.
          if (steps[index + 1]?.at !== at) running = Math.max(running, isRunning.size);
        }
        expect(running).toBeLessThanOrEqual(given.slots);
        const ends = steps.filter(({ status }) => status !== 'in_progress').map(({ task_id }) => task_id);
        expect([...ends].sort()).toEqual(tasks.map(({ task_id }) => task_id).sort());
      }),
    );
  });

  it('gives the same result however often it is evaluated', () => {
    fc.assert(
      fc.property(arbitraryTasks, arbitraryPace, (tasks, given) => {
        const pace = { ...PACE, ...given };
        const atOnce = upcomingTransitions(tasks, pace);
        const bySecond: TaskTransition[] = [];
        let left = tasks;
        let since = -Infinity;
        for (let now = 0; left.length > 0 && now < 500; now += 1) {
          const known = left.filter(({ created_at }) => created_at <= now);
          for (const step of upcomingTransitions(known, { ...pace, since })) {
            if (step.at > now) break;
            bySecond.push(step);
            if (step.status === 'in_progress')
              left = left.map((other) => (other.task_id === step.task_id ? { ...other, started_at: step.at } : other));
            else {
              left = left.filter((other) => other.task_id !== step.task_id);
              since = step.at;
            }
          }
        }
        const order = (steps: readonly TaskTransition[]) => [...shown(steps)].sort();
        expect(order(bySecond)).toEqual(order(atOnce));
      }),
    );
  });
});

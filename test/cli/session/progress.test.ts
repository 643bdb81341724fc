import { describe, expect, it } from 'vitest';
import { isProgressLine, renderProgressLine, renderStep } from '../../../src/cli/output/progress.ts';
import { showWait, type Waits } from '../../../src/cli/session/waits.ts';
import { Fault, type Outcome } from '../../../src/domain/index.ts';
import { openAccount } from '../account.ts';
import { pending } from '../samples.ts';

const outcome = (done: number, total: number, failed = false) => {
  const change = pending('enable');
  const ended: Outcome = failed
    ? { change, state: 'failed', fault: new Fault('gateway.refused', 'no') }
    : { change, state: 'applied' };
  return { kind: 'outcome', outcome: ended, done, total } as const;
};

describe('the progress of an apply', () => {
  it('shows on the progress line how much is done, and the remaining time once it can be estimated', () => {
    const step = { kind: 'step', phase: 'create', done: 100, total: 5000 } as const;
    expect(renderStep(step, 1)).toBe('Creating 100/5,000');
    expect(renderStep(step, 10)).toBe('Creating 100/5,000, about 8 minutes left');
    expect(renderStep({ ...step, done: 5000 }, 500)).toBe('Creating 5,000/5,000');
  });

  it('logs each phase, every twentieth part of many changes that were sent, and every failure', () => {
    const step = (done: number, total: number) => ({ kind: 'step', phase: 'create', done, total }) as const;
    const logged = Array.from({ length: 400 }, (_, i) => step(i + 1, 400)).filter(isProgressLine);
    expect(logged.map(({ done }) => done)).toEqual(Array.from({ length: 20 }, (_, i) => (i + 1) * 20));
    expect(renderProgressLine(step(20, 400), 10)).toBe('Creating 20/400, about 3 minutes left');
    expect(isProgressLine(outcome(20, 400))).toBe(false);
    expect(isProgressLine(outcome(7, 400, true))).toBe(true);
    expect(renderProgressLine(outcome(7, 400, true), 10)).toContain('[  7/400] FAILED enable');
    expect([isProgressLine(outcome(7, 100, true)), isProgressLine(step(5, 100))]).toEqual([false, false]);
    expect(isProgressLine({ kind: 'phase', phase: 'create', total: 3 })).toBe(true);
  });

  it('has one line for each wait for a rate limit, or the moving line, and none for a short one', () => {
    const printed: string[] = [];
    let now = 1000;
    const shown = {
      waits: { until: 0, show: undefined } as Waits,
      io: { clock: () => now },
      print: (text: string) => printed.push(text),
    };
    for (const ms of [4999, 57_100, 57_000]) showWait(shown, ms);
    expect(printed).toEqual(['Waiting for the gateway’s rate limit: next request in 58 s.']);
    now += 58;
    showWait(shown, 1_200_000);
    expect(printed[1]).toBe('Waiting for the gateway’s rate limit: next request in 20 minutes.');
    now += 1200;
    let line = '';
    shown.waits.show = (text) => {
      line = text;
    };
    showWait(shown, 60_000);
    expect([line, printed.length]).toEqual(['Waiting for the gateway’s rate limit: next request in 60 s', 2]);
  });

  it('is plain lines without a terminal, and on a terminal of CI or one without cursor movement', async () => {
    const account = await openAccount('keys: { app-9: { budget: unlimited } }\n');
    const runs = [
      account.terminal(false),
      account.terminal(true, { CI: '1' }),
      account.terminal(true, { TERM: 'dumb' }),
    ];
    for (const terminal of runs) {
      await terminal.run('apply', '--yes', '--key', 'app-9');
      await terminal.run('keys', 'delete', 'app-9', '--yes');
      expect(terminal.err()).toContain('Creating (1)\n');
      expect(terminal.err()).not.toContain('\u001b');
    }
    await account.close();
  });
});

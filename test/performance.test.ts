import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderPerformance } from '../scripts/bench/performance.ts';
import { exponentOf, ROWS, type Row, ratioOf } from '../scripts/bench/rows.ts';
import { readRoot } from './architecture/repository.ts';

const tried = readFileSync(new URL('../scripts/bench/tried.md', import.meta.url), 'utf8');
const RESULTS = { machine: '2 × a processor', node: 'v20.20.2', date: '2026-11-25', load: [0.1, 0.2] as const };
const tableOf = (page: string): readonly (readonly string[])[] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

const rowOf = (id: string): Row => ROWS.find((row) => row.id === id) ?? expect.fail(id);

describe('the page about performance', () => {
  it('has every row of the bench, with its floor, goal and limit, and what was tried', () => {
    const page = readRoot('docs/performance.md');
    const rendered = renderPerformance({ ...RESULTS, rows: {} }, tried);
    const without = (row: readonly string[]) => [row[1], row[2], ...row.slice(7)];
    expect(
      tableOf(page)
        .slice(0, ROWS.length + 2)
        .map(without),
    ).toEqual(
      tableOf(rendered)
        .slice(0, ROWS.length + 2)
        .map(without),
    );
    expect(page).toContain(tried.trim());
    expect(page).toMatch(/^Measured on \d{4}-\d\d-\d\d with Node\.js v\d+\.\d+\.\d+ on \d+ × .+, with a load of /m);
  });

  it('has a ratio for each row, or reports that it was not measured', () => {
    for (const [, , , ratio] of tableOf(readRoot('docs/performance.md')).slice(2, ROWS.length + 2))
      expect(ratio).toMatch(/^(?:\*\*\d+\.\d\d ×\*\*(?: faster)?|not measured)$/);
  });

  it('shows how much a row costs over its floor, and how much faster it is than a script', () => {
    expect(ratioOf(rowOf('create'), { ours: 30, floor: 20 })).toBe(1.5);
    expect(ratioOf(rowOf('script-create'), { ours: 30, floor: 60 })).toBe(2);
    const rows = { create: { ours: 3000, floor: 2000, peakMiB: 120.4, clock: { ours: 4800, floor: 4000 } } };
    expect(renderPerformance({ ...RESULTS, rows }, tried)).toContain(
      '| **1.50 ×** | 3.0 s, 120 MB | 2.0 s | 1.20 × (4.8 s over 4.0 s) | ≤ 1.15 × on the clock |',
    );
    const idle = { ours: { beforeMs: 480, idleMs: 1400 }, floor: { beforeMs: 80, idleMs: 200 } };
    expect(renderPerformance({ ...RESULTS, rows: { create: { ...rows.create, idle } } }, tried)).toContain(
      '| 1.20 × (4.8 s over 4.0 s; without a request 1.4 s over 200 ms, before the first 480 ms over 80 ms) |',
    );
  });

  it('reports the exponent of growth between the smallest and the largest account', () => {
    expect(exponentOf([1_000, 10_000, 100_000], [1, 10, 100])).toBe(1);
    expect(exponentOf([1_000, 10_000, 100_000], [1, 50, 10_000])).toBe(2);
    const growth = { keys: [1_000, 100_000], cpuMs: [1_000, 100_000], peakMiB: [100, 100] };
    const page = renderPerformance({ ...RESULTS, rows: {}, growth }, tried);
    expect(page).toContain('Time grows with the number of keys to the power of 1.00, memory to that of 0.00');
  });
});

// Measures Keyplane as ratios to a floor that is measured in the same run, because ratios are comparable between machines, and
// writes docs/performance.md. `npm run bench -- start validate` measures only the rows that begin with these words, and writes nothing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measureByHand } from './bench/by-hand.ts';
import { measureChats } from './bench/chats.ts';
import { measureChecks } from './bench/checks.ts';
import { measureConstructs } from './bench/constructs.ts';
import { measureUnchanged, measureUnchangedCounted, measureValidation, measureWrites } from './bench/keys.ts';
import { renderPerformance } from './bench/performance.ts';
import { comparisonOf } from './bench/programs.ts';
import { type Growth, type Measured, ROWS, ratioOf, type Times } from './bench/rows.ts';
import { measureStarts } from './bench/start.ts';
import { measureTerraform } from './bench/terraform.ts';

const only = process.argv.slice(2);
const rows: Record<string, Measured> = {};
let growth: Growth | undefined;

const print = (text: string): unknown => process.stdout.write(`${text}\n`);

function record(id: string, measured: Measured): void {
  const row = ROWS.find((each) => each.id === id);
  if (!row) throw new Error(`there is no row ${id}`);
  rows[id] = measured;
  const memory = measured.peakMiB === undefined ? '' : `, ${measured.peakMiB.toFixed(0)} MB`;
  const goal = row.goal === undefined ? '' : `, goal ${row.goal}${row.goalOnClock ? ' on the clock' : ''}`;
  const ratio = (times: Times): string =>
    `${ratioOf(row, times).toFixed(2)} x${row.faster ? ' faster' : ''} (${times.ours.toFixed(1)} ms over ${times.floor.toFixed(1)})`;
  const onClock = measured.clock ? `, on the clock ${ratio(measured.clock)}` : '';
  print(`${id}: ${ratio(measured)}${onClock}${memory}${goal}`);
}

const TERRAFORM = [
  { count: 200, refresh: 'terraform-refresh-200', creates: 'terraform-plan-200' },
  { count: 999, refresh: 'terraform-refresh', creates: 'terraform-plan' },
];

/** The measurements of the bench, by the rows that each gives. */
const MEASUREMENTS: readonly { readonly ids: readonly string[]; run(folder: string): Promise<void> | void }[] = [
  {
    ids: ['start-version', 'start-validate', 'start-plan'],
    run: async (folder) => {
      for (const { id, ...measured } of await measureStarts(folder)) record(id, measured);
    },
  },
  { ids: ['validate'], run: (folder) => record('validate', measureValidation(folder, 10_000)) },
  {
    ids: ['create', 'update'],
    run: async (folder) => {
      const { create, update } = await measureWrites(folder, 10_000);
      record('create', create);
      record('update', update);
    },
  },
  {
    ids: ['unchanged'],
    run: async (folder) => {
      const measured = await measureUnchanged(folder, [1_000, 10_000, 100_000]);
      record('unchanged', measured.largest);
      growth = measured.growth;
    },
  },
  {
    ids: ['counted'],
    run: async (folder) => record('counted', await measureUnchangedCounted(folder, 100_000)),
  },
  {
    ids: ['checks', 'checks-slow'],
    run: async (folder) => {
      record('checks', comparisonOf(await measureChecks(folder, 0)));
      const slow = await measureChecks(folder, 250);
      record('checks-slow', { ours: slow.ours.ms, floor: slow.floor.ms, peakMiB: slow.ours.peakMiB });
    },
  },
  {
    ids: ['chat-durable', 'chat'],
    run: async (folder) => {
      record('chat-durable', await measureChats(folder, 4_000, true));
      record('chat', await measureChats(folder, 4_000, false));
    },
  },
  {
    ids: ['script-create', 'script-rerun'],
    run: async (folder) => {
      const measured = await measureByHand(folder);
      if (!measured) return;
      record('script-create', measured.create);
      record('script-rerun', measured.rerun);
    },
  },
  {
    ids: ['synthesis-cdktf', 'synthesis-cdktn', 'synthesis-validate'],
    run: (folder) => {
      for (const [id, measured] of Object.entries(measureConstructs(folder, 1_000)))
        record(`synthesis-${id}`, measured);
    },
  },
  ...TERRAFORM.map(({ count, refresh, creates }) => ({
    ids: [refresh, creates],
    run: async (folder: string) => {
      const measured = await measureTerraform(folder, count);
      if (!measured) return;
      record(refresh, measured.refresh);
      record(creates, measured.creates);
    },
  })),
];

const load = (): number => loadavg()[0] ?? Number.NaN;
const before = load();
const folder = mkdtempSync(join(tmpdir(), 'keyplane-bench-'));
let failed = false;
try {
  for (const [index, { ids, run }] of MEASUREMENTS.entries()) {
    if (only.length > 0 && !only.some((word) => ids.some((id) => id.startsWith(word)))) continue;
    const place = join(folder, String(index));
    mkdirSync(place);
    try {
      await run(place);
    } catch (error) {
      failed = true;
      print(`${ids.join(', ')}: not measured: ${String(error).slice(0, 400)}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (only.length === 0) {
  const results = {
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    load: [before, load()] as const,
    rows,
    ...(growth ? { growth } : {}),
  };
  const tried = readFileSync(join(import.meta.dirname, 'bench/tried.md'), 'utf8');
  writeFileSync(resolve(import.meta.dirname, '../docs/performance.md'), renderPerformance(results, tried));
}
process.exitCode = failed ? 1 : 0;

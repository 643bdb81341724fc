// Lets four processes apply manifests to one account while people edit its keys, keys spend, requests fail and processes are
// killed: `npm run soak -- --minutes 30 --seed 1 --profile deployed --lock none`. In the end the account must equal the manifests to
// the unit. Without a lock the processes meet in every request; with `gateway` they take over the claims of the killed ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway } from './bench/programs.ts';
import { chanceOf } from './soak/chance.ts';
import type { DeclaredKeys } from './soak/manifest.ts';
import { compare, leaksIn } from './soak/verdict.ts';
import { ACCESS_TOKEN, calm, createForeign, disturb, emptyMemory, storedIn } from './soak/world.ts';
import { applyOnce, keepWriting, type Ran, type Writer } from './soak/writer.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'contract' },
    lock: { type: 'string', default: 'none' },
  },
});
const { profile } = values;
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0 && Number.isInteger(seed))) throw new Error('--minutes and --seed are numbers');
const folder = mkdtempSync(join(tmpdir(), 'keyplane-soak-'));
const SEED = {
  limits: { api: null, search: null },
  accounts: [{ userId: 42, accessToken: ACCESS_TOKEN, quota: 1_000_000_000 }],
  groups: { default: {}, vip: {} },
  models: { 'alpha-chat-1': {} },
};
writeFileSync(join(folder, 'seed.yaml'), JSON.stringify(SEED));

const gateway = await startGateway(join(folder, 'seed.yaml'), profile);
const memory = emptyMemory();
const declared = new Map<string, DeclaredKeys>();
const codes = new Map<string, number>();
const wrong: string[] = [];

/** Two writers share the manifest of a team, two have their own. */
const writers = ['a', 'a', 'b', 'c'].map(
  (team, index): Writer => ({
    team,
    folder: join(folder, `writer-${index}`),
    chance: chanceOf(seed * 10 + index),
    url: gateway.url,
    lock: values.lock,
  }),
);

async function judge({ code, output }: Ran): Promise<void> {
  codes.set(String(code ?? 'killed'), (codes.get(String(code ?? 'killed')) ?? 0) + 1);
  if (output.includes('tool.defect') || output.includes('defect of Keyplane')) wrong.push(output.slice(-1500));
  if (leaksIn(output, await storedIn(gateway)).length > 0) wrong.push('a run printed a credential');
}

/** Applies each manifest until nothing is left to do, without disturbances. */
async function settle(): Promise<void> {
  for (const writer of writers.slice(1)) {
    const keys = declared.get(writer.team) ?? {};
    const runs = [await applyOnce(writer, keys), await applyOnce(writer, keys)];
    const last = runs.at(-1);
    if (last?.code !== 0) wrong.push(`the last apply of ${writer.team} ended with ${last?.code}\n${last?.output}`);
  }
}

try {
  await createForeign(gateway, memory, 5);
  const stop = new AbortController();
  const { signal } = stop;
  const onRun = (ran: Ran): void => void judge(ran);
  const working = writers.map((writer) => keepWriting(writer, { declared, signal, onRun }));
  const disturbing = disturb({ gateway, chance: chanceOf(seed), memory, signal });
  await pause(minutes * 60_000);
  stop.abort();
  await disturbing;
  await calm(gateway);
  await Promise.all(working);
  await settle();
  const stored = await storedIn(gateway);
  wrong.push(...compare(declared, stored, memory));
  const runs = [...codes].sort().map(([code, count]) => `${count} × ${code}`);
  const keys = `${stored.keys.length} keys in the end, the last of ${Math.max(0, ...stored.keys.map(({ id }) => id))} ids`;
  process.stdout.write(
    `soak: profile ${profile}, seed ${seed}, ${minutes} minutes: runs by exit code ${runs.join(', ')}; ` +
      `${memory.counts.edits} edits, ${memory.counts.spent} charges, ${memory.counts.faults} failures; ${keys}\n`,
  );
} finally {
  gateway.stop();
}
for (const line of wrong) process.stdout.write(`soak: ${line}\n`);
process.stdout.write(
  wrong.length === 0 ? 'soak: the account equals the manifests\n' : `soak: ${wrong.length} faults\n`,
);
if (wrong.length === 0) rmSync(folder, { recursive: true });
else process.stdout.write(`soak: the folders of the writers are in ${folder}\n`);
process.exitCode = wrong.length === 0 ? 0 : 1;

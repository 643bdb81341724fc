// What constructs cost beside the generated classes that they stand on, and reading what they wrote beside a manifest that says the same.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure } from './programs.mjs';

const SYNTHESIS = join(import.meta.dirname, 'synthesis.mjs');

function synthesize(folder, cdk, kind, count) {
  const outdir = join(folder, `${cdk}-${kind}.out`);
  const since = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, [SYNTHESIS, cdk, kind, String(count), outdir], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the synthesis by ${cdk} ended with ${status}\n${stderr.slice(-2000)}`);
  return { outdir, ms: Number(process.hrtime.bigint() - since) / 1e6 };
}

/** The keys of the synthesis as a manifest in JSON, in as many lines. */
function manifestOf(folder, count) {
  const fields = {
    models: ['alpha-chat-1', 'text-embedding-3-small'],
    allowIps: ['10.0.0.0/8'],
    budget: { usd: 10 },
  };
  const keys = Object.fromEntries(Array.from({ length: count }, (_, i) => [`bench-${i + 1}`, fields]));
  const file = join(folder, 'same.json');
  writeFileSync(
    file,
    JSON.stringify({ version: 1, gateway: { url: 'http://127.0.0.1:8787', userId: 1 }, keys }, null, 2),
  );
  return file;
}

/** @returns titles with milliseconds, and those of what each stands on */
export function measureConstructs(folder, count) {
  const results = ['cdktf', 'cdktn'].map((cdk) => {
    const floor = synthesize(folder, cdk, 'generated', count).ms;
    const { ms, outdir } = synthesize(folder, cdk, 'keys', count);
    return { title: `${cdk}: synthesize`, ms, floor, of: 'the generated classes', outdir };
  });
  const around = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, CI: '1' } };
  const floor = measure(['validate', '-f', manifestOf(folder, count)], around).ms;
  const { ms } = measure(['validate', '-f', results[0].outdir], around);
  return [...results, { title: 'validate what was synthesized', ms, floor, of: 'the same as a manifest' }];
}

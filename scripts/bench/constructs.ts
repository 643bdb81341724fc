import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileProgram } from './compiled.ts';
import { costOf, race } from './cpu.ts';
import { measure } from './programs.ts';
import type { Measured } from './rows.ts';

const SYNTHESIS = compileProgram('synthesis.ts');

const ROUNDS = 5;

const outdirOf = (folder: string, cdk: string, kind: string): string => join(folder, `${cdk}-${kind}.out`);

/** The costs of a synthesis with our class and with the generated one. */
function raceSyntheses(folder: string, cdk: string, count: number): Measured {
  const synthesize = (kind: 'keys' | 'generated') => () =>
    costOf(process.execPath, [SYNTHESIS, cdk, kind, String(count), outdirOf(folder, cdk, kind)], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    });
  return race(ROUNDS, synthesize('keys'), synthesize('generated'));
}

/** Writes the keys of the synthesis as a manifest in JSON, in as many lines. */
function writeManifest(folder: string, count: number): string {
  const fields = {
    models: ['alpha-chat-1', 'text-embedding-3-small'],
    allowIps: ['10.0.0.0/8'],
    budget: { usd: 10, per: 'lifetime' },
  };
  const keys = Object.fromEntries(Array.from({ length: count }, (_, i) => [`bench-${i + 1}`, fields]));
  const file = join(folder, 'same.json');
  writeFileSync(
    file,
    JSON.stringify({ version: 1, gateway: { url: 'http://127.0.0.1:8787', userId: 1 }, keys }, null, 2),
  );
  return file;
}

/**
 * Measures synthesis against the generated classes that it uses, and the validation of its output against that of an
 * equivalent manifest.
 */
export function measureConstructs(
  folder: string,
  count: number,
): Readonly<Record<'cdktf' | 'cdktn' | 'validate', Measured>> {
  const [cdktf, cdktn] = [raceSyntheses(folder, 'cdktf', count), raceSyntheses(folder, 'cdktn', count)];
  const context = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, CI: '1' } };
  const floor = measure(['validate', '-f', writeManifest(folder, count)], context).ms;
  const { ms } = measure(['validate', '-f', outdirOf(folder, 'cdktf', 'keys')], context);
  return { cdktf, cdktn, validate: { ours: ms, floor } };
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileProgram } from './compiled.ts';
import { cpuOf, raceCpu } from './cpu.ts';
import { measure } from './programs.ts';

const SYNTHESIS = compileProgram('synthesis.ts');

interface ConstructResult {
  readonly title: string;
  readonly ms: number;
  readonly floor: number;
  /** The name of the floor. */
  readonly of: string;
}

const ROUNDS = 5;

const outdirOf = (folder: string, cdk: string, kind: string): string => join(folder, `${cdk}-${kind}.out`);

/** The CPU time of a synthesis by our class and by the generated one, in turns. */
function raceSyntheses(folder: string, cdk: string, count: number): readonly [number, number] {
  const synthesize = (kind: 'keys' | 'generated') => () =>
    cpuOf(process.execPath, [SYNTHESIS, cdk, kind, String(count), outdirOf(folder, cdk, kind)], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder },
    });
  return raceCpu(ROUNDS, synthesize('keys'), synthesize('generated'));
}

/** Writes the keys of the synthesis as a manifest in JSON, in as many lines. */
function writeManifest(folder: string, count: number): string {
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

/**
 * Measures synthesis against the generated classes that it uses, and the validation of its output against that of an
 * equivalent manifest.
 */
export function measureConstructs(folder: string, count: number): readonly ConstructResult[] {
  const results = ['cdktf', 'cdktn'].map((cdk) => {
    const [ms, floor] = raceSyntheses(folder, cdk, count);
    return { title: `${cdk}: synthesize, CPU time`, ms, floor, of: 'the generated classes' };
  });
  const context = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, CI: '1' } };
  const floor = measure(['validate', '-f', writeManifest(folder, count)], context).ms;
  const { ms } = measure(['validate', '-f', outdirOf(folder, 'cdktf', 'keys')], context);
  return [...results, { title: 'validate the synthesized stack', ms, floor, of: 'an equivalent manifest' }];
}

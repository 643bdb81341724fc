import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, median } from './cpu.ts';
import { PROGRAM, startGateway } from './programs.ts';
import type { Measured } from './rows.ts';

const ROUNDS = 15;
const USER = 42;
const TOKEN = 'bench-only';

const SEED = { accounts: [{ userId: USER, accessToken: TOKEN, quota: 1_000_000 }], groups: { default: {} } };

/** Measures starts in turns with those of an idle Node.js. CPU time, because a busy machine prolongs the others. */
export async function measureStarts(folder: string): Promise<readonly (Measured & { readonly id: string })[]> {
  const seed = join(folder, 'seed.yaml');
  writeFileSync(seed, JSON.stringify(SEED));
  const gateway = await startGateway(seed);
  try {
    const file = join(folder, 'start.yaml');
    const keys = { one: { budget: { usd: 1 } } };
    writeFileSync(file, JSON.stringify({ version: 1, gateway: { url: gateway.url, userId: USER }, keys }));
    // Without the settings of this shell: extra certificates cost any Node.js as much again.
    const env = { PATH: process.env.PATH, HOME: folder, KEYPLANE_URL: gateway.url, KEYPLANE_ACCESS_TOKEN: TOKEN };
    const commands = [
      { id: 'start-version', words: ['--version'] },
      { id: 'start-validate', words: ['validate', '-f', file] },
      { id: 'start-plan', words: ['plan', '-f', file] },
    ];
    const floors: number[] = [];
    const times = commands.map((): number[] => []);
    for (let round = 0; round < ROUNDS; round += 1) {
      floors.push(costOf(process.execPath, ['-e', '0'], { env }).cpuMs);
      for (const [index, { words }] of commands.entries())
        times[index]?.push(costOf(process.execPath, [PROGRAM, ...words], { env }).cpuMs);
    }
    const floor = median(floors);
    return commands.map(({ id }, index) => ({ id, floor, ours: median(times[index] ?? []) }));
  } finally {
    gateway.stop();
  }
}

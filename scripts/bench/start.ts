import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuOf, median } from './cpu.ts';
import { type BenchGateway, PROGRAM } from './programs.ts';

/** CPU milliseconds of one start, next to those of a Node.js that does nothing. */
export interface StartCost {
  readonly title: string;
  readonly ms: number;
  readonly floor: number;
  readonly goal: number;
}

/** Measures starts in turns with those of an idle Node.js. CPU time, because a busy machine prolongs the others. */
export function measureStarts(
  folder: string,
  { gateway, userId, token, rounds }: { gateway: BenchGateway; userId: number; token: string; rounds: number },
): readonly StartCost[] {
  const file = join(folder, 'start.yaml');
  writeFileSync(file, JSON.stringify({ version: 1, gateway: { url: gateway.url, userId }, keys: { one: {} } }));
  // Without the settings of this shell: extra certificates cost any Node.js as much again.
  const env = { PATH: process.env.PATH, HOME: folder, KEYPLANE_URL: gateway.url, KEYPLANE_ACCESS_TOKEN: token };
  const commands = [
    { title: '--version', words: ['--version'], goal: 1.5 },
    { title: 'validate', words: ['validate', '-f', file], goal: 3 },
    { title: 'plan', words: ['plan', '-f', file], goal: 5 },
  ];
  const floors: number[] = [];
  const times = commands.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    floors.push(cpuOf(process.execPath, ['-e', '0'], { env }));
    for (const [index, { words }] of commands.entries())
      times[index]?.push(cpuOf(process.execPath, [PROGRAM, ...words], { env }));
  }
  const floor = median(floors);
  return commands.map(({ title, goal }, index) => ({ title, goal, floor, ms: median(times[index] ?? []) }));
}

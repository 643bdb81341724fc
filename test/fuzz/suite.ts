import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mutants } from './mutate.ts';
import { READERS } from './readers.ts';

/** A reader that failed for an input keeps the input here, so that it is read in each run. */
const SEEDS = join(import.meta.dirname, 'seeds');

const seedsOf = (reader: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(join(SEEDS, reader))
    .sort()
    .map((name) => [name, readFileSync(join(SEEDS, reader, name), 'utf8')]);

/** Reads every seed, and as many texts made of the seeds of each reader. The same number gives the same texts. */
export function describeReaders(numRuns: number): void {
  describe.each(Object.entries(READERS))('the reader of %s', (name, read) => {
    const seeds = seedsOf(name);

    it.each(seeds)('answers %s', async (_name, text) => {
      await read(text);
    });

    it('answers whatever is made of them', async () => {
      const answers = fc.asyncProperty(mutants(seeds.map(([, text]) => text)), async (text) => {
        await read(text);
      });
      await fc.assert(answers, { seed: 20_261_123, numRuns });
    });
  });

  it('covers every folder of seeds', () => {
    expect(readdirSync(SEEDS).sort()).toEqual(Object.keys(READERS).sort());
  });
}

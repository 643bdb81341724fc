import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from '../../../src/tfjson/expression/evaluate.ts';
import { jsonEncode } from '../../../src/tfjson/expression/functions.ts';
import { tryEvaluate } from '../../../src/tfjson/expression/unresolved.ts';
import { compositions } from '../../tfjson/compositions.ts';
import { EXPRESSIONS } from '../../tfjson/expressions.ts';
import { literals, literalText } from '../../tfjson/literals.ts';
import { ENGINE, skipWithoutTerraform } from './stack.ts';

const scope = {
  lookUp: () => {
    throw new Error('the expressions have no references');
  },
};

const SEED = 6;

const ERROR = 'an error';

/** Each literal alone, in a text, and as it is sorted by a set. */
const arbitrary: readonly string[] = fc
  .sample(literals, { numRuns: 150, seed: SEED })
  .map((literal) => `\${${literalText(literal)}}`);

const sets: readonly string[] = fc
  .sample(fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 6 }), { numRuns: 50, seed: SEED })
  .map((texts) => `\${toset(${literalText(texts.map((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, '')))})}`);

/** The values that Terraform evaluates templates to, as its own `jsonencode` writes them. */
async function byTerraform(templates: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-expressions-'));
  try {
    const locals = Object.fromEntries(templates.map((template, i) => [`e${i}`, template]));
    const output = Object.fromEntries(templates.map((_, i) => [`e${i}`, { value: `\${jsonencode(local.e${i})}` }]));
    await writeFile(join(folder, 'main.tf.json'), JSON.stringify({ locals, output }));
    const run = (...words: readonly string[]): string => {
      const env = { PATH: process.env.PATH ?? '', HOME: folder, CHECKPOINT_DISABLE: '1' };
      const { status, stdout, stderr } = spawnSync(ENGINE, words, { cwd: folder, env, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      return stdout;
    };
    run('apply', '-auto-approve', '-no-color');
    const outputs = JSON.parse(run('output', '-json')) as Readonly<Record<string, { value: string }>>;
    return templates.map((_, i) => outputs[`e${i}`]?.value ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const tryEncode = (template: string): string | undefined => tryEvaluate(() => jsonEncode(evaluate(template, scope)));

it('evaluates each expression exactly as Terraform does', async (context) => {
  skipWithoutTerraform(context);
  const templates = [...Object.keys(EXPRESSIONS), ...arbitrary, ...sets];
  const ours = templates.map((template) => [template, tryEncode(template)]);
  const theirs = await byTerraform(templates);
  expect(ours).toEqual(templates.map((template, i) => [template, theirs[i]]));
});

it('evaluates random expressions exactly as Terraform does, or refuses them', async (context) => {
  skipWithoutTerraform(context);
  const drawn = fc.sample(compositions, { numRuns: 16_000, seed: SEED });
  const evaluated = [...new Set(drawn)].flatMap((expression): (readonly [string, string])[] => {
    const value = tryEncode(`\${${expression}}`);
    return value === undefined ? [] : [[expression, value]];
  });
  expect(evaluated.length).toBeGreaterThan(1000);
  const theirs = await byTerraform(evaluated.map(([expression]) => `\${try(jsonencode(${expression}), "${ERROR}")}`));
  const answers = theirs.map((each) => JSON.parse(each) as string);
  const answered = evaluated.map(([expression, ours], i) => [expression, answers[i] === ERROR ? ours : answers[i]]);
  expect(evaluated).toEqual(answered);
  // Terraform tracks the type of a null, and rejects some conversions of it.
  const beyond = evaluated.filter((_, i) => answers[i] === ERROR).map(([expression]) => expression);
  expect(beyond.filter((expression) => !expression.includes('null'))).toEqual([]);
});

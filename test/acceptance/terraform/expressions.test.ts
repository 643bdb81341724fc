import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { evaluate } from '../../../src/manifest/terraform-json/evaluate.ts';
import { jsonEncode } from '../../../src/manifest/terraform-json/json-encode.ts';
import { parseTemplate } from '../../../src/manifest/terraform-json/parse.ts';
import { Refused } from '../../../src/manifest/terraform-json/refused.ts';
import { compositions } from '../../manifest/terraform-json/compositions.ts';
import { EXPRESSIONS } from '../../manifest/terraform-json/expressions.ts';
import { literals, literalText } from '../../manifest/terraform-json/literals.ts';
import { skipWithoutTerraform } from './stack.ts';

const nothing = {
  lookUp: () => {
    throw new Error('nothing is referred to');
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

/** What Terraform makes of templates, as its own `jsonencode` writes it. */
async function byTerraform(templates: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-expressions-'));
  try {
    const locals = Object.fromEntries(templates.map((template, i) => [`e${i}`, template]));
    const output = Object.fromEntries(templates.map((_, i) => [`e${i}`, { value: `\${jsonencode(local.e${i})}` }]));
    await writeFile(join(folder, 'main.tf.json'), JSON.stringify({ locals, output }));
    const run = (...words: readonly string[]): string => {
      const env = { PATH: process.env.PATH ?? '', HOME: folder, CHECKPOINT_DISABLE: '1' };
      const { status, stdout, stderr } = spawnSync('terraform', words, { cwd: folder, env, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      return stdout;
    };
    run('apply', '-auto-approve', '-no-color');
    const told = JSON.parse(run('output', '-json')) as Readonly<Record<string, { value: string }>>;
    return templates.map((_, i) => told[`e${i}`]?.value ?? '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

const tryEvaluate = (template: string): string | undefined => {
  try {
    return jsonEncode(evaluate(parseTemplate(template), nothing));
  } catch (thrown) {
    if (thrown instanceof Refused) return undefined;
    throw thrown;
  }
};

it('comes to what Terraform comes to, letter by letter', async (context) => {
  skipWithoutTerraform(context);
  const templates = [...Object.keys(EXPRESSIONS), ...arbitrary, ...sets];
  const ours = templates.map((template) => [template, tryEvaluate(template)]);
  const theirs = await byTerraform(templates);
  expect(ours).toEqual(templates.map((template, i) => [template, theirs[i]]));
});

it('comes to what Terraform comes to however it is put together, or is refused', async (context) => {
  skipWithoutTerraform(context);
  const drawn = fc.sample(compositions, { numRuns: 30_000, seed: SEED });
  const worked = [...new Set(drawn)].flatMap((expression): (readonly [string, string])[] => {
    const value = tryEvaluate(`\${${expression}}`);
    return value === undefined ? [] : [[expression, value]];
  });
  expect(worked.length).toBeGreaterThan(1000);
  const theirs = await byTerraform(worked.map(([expression]) => `\${try(jsonencode(${expression}), "${ERROR}")}`));
  const answers = theirs.map((each) => JSON.parse(each) as string);
  const answered = worked.map(([expression, ours], i) => [expression, answers[i] === ERROR ? ours : answers[i]]);
  expect(worked).toEqual(answered);
  // Terraform knows what type a null would have, and refuses to make some others of it.
  const beyond = worked.filter((_, i) => answers[i] === ERROR).map(([expression]) => expression);
  expect(beyond.filter((expression) => !expression.includes('null'))).toEqual([]);
});

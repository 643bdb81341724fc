import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { openJsonModel, UnsatisfiableSchema } from '../../../src/synthetic/index.ts';
import { cpuTimeOf } from '../../cpu-time.ts';
import { EXPLOSIVE, SATISFIABLE, UNSATISFIABLE } from './json-schemas.ts';

const PROMPTS = ['Explain the lighthouse of Alexandria', '', 'Сколько стоит хлеб? 面包 😀'];

/** A judge of its own: not the one that the answers were chosen with. */
function judge(schema: unknown): (value: unknown) => boolean {
  const { $schema, items } = schema as { $schema?: string; items?: unknown };
  const isOld = $schema?.includes('draft-07') || Array.isArray(items);
  const dialect = isOld ? Ajv : $schema?.includes('2019') ? Ajv2019 : Ajv2020;
  const ajv = new dialect({ strict: false, logger: false });
  formats.default(ajv);
  return ajv.compile(schema as object) as (value: unknown) => boolean;
}

const model = openJsonModel();

describe('a JSON answer', () => {
  for (const [name, schema] of Object.entries(SATISFIABLE)) {
    it(`satisfies a schema with ${name}`, async () => {
      const isValid = judge(schema);
      for (const [seed, prompt] of PROMPTS.entries()) {
        const value = await model.generate(schema, { prompt, seed });
        expect(isValid(value), JSON.stringify(value)).toBe(true);
        expect(JSON.parse(JSON.stringify(value))).toEqual(value);
        expect(await model.generate(schema, { prompt, seed })).toEqual(value);
      }
    });
  }

  for (const [name, schema] of Object.entries(UNSATISFIABLE)) {
    it(`is rejected quickly for a schema with ${name}`, async () => {
      const cpuMs = await cpuTimeOf(() =>
        expect(model.generate(schema, { prompt: 'anything', seed: 1 })).rejects.toThrow(UnsatisfiableSchema),
      );
      expect(cpuMs).toBeLessThan(60_000);
    });
  }

  for (const [name, schema] of Object.entries(EXPLOSIVE)) {
    it(`ends soon for a schema with ${name}`, async () => {
      const impatient = openJsonModel(100);
      await expect(impatient.generate(schema, { prompt: 'anything', seed: 1 })).rejects.toThrow(/requires too much/);
    });
  }

  it('leaves other work its turn between two attempts', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    const unsatisfiable = { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'boolean' } };
    await model.generate(unsatisfiable, { prompt: '', seed: 1 }).catch(() => order.push('answer'));
    expect(order).toEqual(['other work', 'answer']);
  });

  it('uses words of the prompt where a text is not constrained', async () => {
    const steps = {
      type: 'object',
      properties: {
        title: { type: 'string' },
        steps: { type: 'array', items: { type: 'string' } },
        size: { type: 'integer' },
      },
      required: ['title', 'steps', 'size'],
    };
    const value = (await model.generate(steps, { prompt: 'Bake a loaf', seed: 2 })) as Record<string, unknown>;
    for (const text of [value.title, ...(value.steps as unknown[])]) expect('Bake a loaf').toContain(text);
    expect(value.steps).not.toEqual([]);
    expect(value.size).toBeGreaterThanOrEqual(0);
  });

  it('depends on the seed and the prompt', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' }, t: { type: 'string' } },
      required: ['n', 't'],
    };
    const of = async (prompt: string, seed: number) => JSON.stringify(await model.generate(schema, { prompt, seed }));
    const answers = await Promise.all([0, 1, 2, 3, 4].map((seed) => of('How many?', seed)));
    expect(new Set(answers).size).toBeGreaterThan(1);
    expect(await of('How few?', 0)).not.toBe(answers[0]);
  });

  it('does not remember the identifier of a schema', async () => {
    const order = { prompt: 'x', seed: 1 };
    const first = await model.generate({ $id: 'https://example.com/s', type: 'integer' }, order);
    const second = await model.generate({ $id: 'https://example.com/s', type: 'string' }, order);
    expect([typeof first, typeof second]).toEqual(['number', 'string']);
    await expect(model.generate({ $ref: 'https://example.com/s' }, order)).rejects.toThrow(UnsatisfiableSchema);
  });
});

describe('the arguments of a function call', () => {
  it('satisfy the parameters', async () => {
    const parameters = {
      type: 'object',
      properties: { location: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
      required: ['location', 'unit'],
      additionalProperties: false,
    };
    const value = await model.generate(parameters, { prompt: 'Weather in Paris?', seed: 4 });
    expect(judge(parameters)(value)).toBe(true);
  });
});

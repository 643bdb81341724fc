import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type CheckSpec, checkError, type Diagnostic } from '../../src/domain/index.ts';
import { FAMILIES } from '../../src/wire/index.ts';
import { brief, type ReadOptions, readFiles, readText } from './scratch.ts';

const page = (definition: string): string => `version: 1\nchecks:\n  mine: ${definition}\n`;

async function specsOf(text: string, options: ReadOptions = {}): Promise<readonly CheckSpec[]> {
  const { manifest, diagnostics } = await readFiles({ 'a.yaml': text }, options);
  expect(diagnostics).toEqual([]);
  return manifest?.checks ?? [];
}

async function specOf(definition: string, options: ReadOptions = {}): Promise<CheckSpec> {
  return (await specsOf(page(definition), options))[0] as CheckSpec;
}

/** Returns the text at the place of a diagnostic. */
const writtenAt = (definition: string, problem: Diagnostic | undefined): string | undefined => {
  const { line = 0, column = 0, endColumn } = problem?.place ?? {};
  return page(definition)
    .split('\n')
    [line - 1]?.slice(column - 1, endColumn === undefined ? undefined : endColumn - 1);
};

async function problemsOf(definition: string, options: ReadOptions = {}) {
  const { manifest, diagnostics } = await readFiles({ 'a.yaml': page(definition) }, options);
  expect(manifest).toBeUndefined();
  return diagnostics;
}

describe('a definition of a check', () => {
  test('needs only a module', async () => {
    const { place, folder, ...spec } = await specOf('{ module: chat }');
    expect(spec).toEqual({ name: 'mine', module: 'chat', request: {}, expect: {}, retries: 0 });
    expect(place).toEqual({ file: 'a.yaml', line: 3, column: 3, endLine: 3, endColumn: 7 });
    expect(folder).toMatch(/^\//);
  });

  test('keeps every field that is not its own as a field of the request, also null', async () => {
    const spec = await specOf('{ module: chat, model: m, max_tokens: null, stop: [a], extra: { deep: [1, true, x] } }');
    expect(spec.model).toBe('m');
    expect(spec.request).toEqual({ max_tokens: null, stop: ['a'], extra: { deep: [1, true, 'x'] } });
  });

  test('accepts one text to contain, or several, and keeps all digits of a cost', async () => {
    expect((await specOf('{ module: chat, expect: { contains: pong, maxCost: 0.10 } }')).expect).toEqual({
      contains: ['pong'],
      maxCost: '0.1',
    });
    const precise = '1234567.123456789012345678';
    expect((await specOf(`{ module: chat, expect: { contains: [a, b], maxCost: ${precise} } }`)).expect).toEqual({
      contains: ['a', 'b'],
      maxCost: precise,
    });
  });

  test('accepts numbers and flags as strings, and keeps strings that look like numbers', async () => {
    const spec = await specOf(
      '{ module: chat, retries: "2", expect: { count: "3", seconds: "2.5", audio: "false", maxCost: "1", matches: "12", toolCall: "7" } }',
    );
    expect(spec.retries).toBe(2);
    expect(spec.expect).toEqual({ count: 3, seconds: 2.5, audio: false, maxCost: '1', matches: '12', toolCall: '7' });
  });

  test.each([
    ['45s', 45_000],
    ['2m', 120_000],
    ['24h', 86_400_000],
  ])('accepts the timeout %s', async (timeout, timeoutMs) => {
    expect((await specOf(`{ module: chat, timeout: ${timeout} }`)).timeoutMs).toBe(timeoutMs);
  });

  test('hides values from the environment, except in the fields that reports show', async () => {
    const env = { MODEL: 'alpha-chat-1', WORD: 'open-sesame', NONE: '' };
    const spec = await specOf(
      '{ module: chat, model: "${env:MODEL}", user: "${env:NONE}", messages: [{ role: user, content: "repeat ${env:WORD}" }], expect: { contains: "${env:WORD}" } }',
      { env },
    );
    expect(spec.model).toBe('alpha-chat-1');
    expect(spec.hidden).toEqual(['', 'repeat open-sesame', 'open-sesame']);
    expect(spec.expect.contains).toEqual(['open-sesame']);
  });
});

describe('a misplaced field', () => {
  test.each([
    ['contains: pong', 'Move it into `expect`.'],
    ['maxLatencyMs: 5', 'Move it into `expect`.'],
    ['retrys: 1', 'Did you mean `retries`?'],
    ['modle: m', 'Did you mean `model`?'],
    ['Timeout: 5s', 'Did you mean `timeout`?'],
  ])('%s is not sent to a gateway that would ignore it', async (field, hint) => {
    const [problem, ...others] = await problemsOf(`{ module: chat, ${field} }`);
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'manifest.unknown-field', severity: 'error', hint, place: { line: 3 } });
  });

  test('a field whose name only resembles a field of the check belongs to the request', async () => {
    const spec = await specOf('{ module: video, model: film-1, family: asset-video, mode: pro }');
    expect(spec.request).toEqual({ mode: 'pro' });
  });

  test('never includes a field of a request in the contract', async () => {
    const shapes = FAMILIES.map(({ body }) => (body instanceof z.ZodObject ? Object.keys(body.shape) : []));
    const fields = [...new Set(shapes.flat())].filter((field) => field !== 'model');
    expect(fields.length).toBeGreaterThan(40);
    const spec = await specOf(`{ module: chat, ${fields.map((field) => `${field}: 1`).join(', ')} }`);
    expect(Object.keys(spec.request)).toEqual(fields);
  });
});

describe('a field that the module does not support', () => {
  test.each([
    ['{ module: video, retries: 1 }', '1'],
    ['{ module: chat, schedule: free }', 'free'],
    ['{ module: image, schedule: free }', 'free'],
    ['{ module: model-list, model: m }', 'm'],
    ['{ module: expired-key, model: m }', 'm'],
  ])('%s is rejected at its field', async (definition, at) => {
    const [problem, ...others] = await problemsOf(definition);
    expect([problem?.code, writtenAt(definition, problem), others]).toEqual(['manifest.invalid-check', at, []]);
  });

  test.each([
    '{ module: video, retries: 0 }',
    '{ module: count-tokens, schedule: free }',
    '{ module: model-list, schedule: costly }',
    '{ module: forbidden-model, model: m, retries: 2 }',
    '{ module: exhausted-key, model: m }',
  ])('%s is accepted', async (definition) => {
    expect((await specOf(definition)).name).toBe('mine');
  });
});

describe('names of checks', () => {
  const nameProblems = async (name: string, module = 'chat') =>
    (await readText(`version: 1\nchecks: { "${name}": { module: ${module} } }\n`)).diagnostics.map((d) => d.code);

  test.each(['free', 'costly', 'media', 'enforcement', 'image'])('%s is ambiguous', async (name) => {
    expect(await nameProblems(name)).toEqual(['manifest.invalid-value']);
  });

  test('may be that of the module itself', async () => {
    expect(await nameProblems('image', 'image')).toEqual([]);
  });

  test.each(['', ' mine', 'a\\u0007b', 'ü'.repeat(26)])('%j is not a name', async (name) => {
    expect(await nameProblems(name)).toEqual(['manifest.invalid-name']);
  });

  test('that look like a credential are never shown', async () => {
    const credential = `sk-${'Zx9'.repeat(14)}`;
    const { diagnostics, sources } = await readText(`version: 1\nchecks: { ${credential}: { module: chat } }\n`);
    expect(diagnostics.map((d) => d.code)).toEqual(['manifest.secret-in-manifest']);
    expect(JSON.stringify([diagnostics, [...sources]])).not.toContain(credential);
  });
});

describe('the checks of a manifest', () => {
  test('come from all files, sorted by name, each with the folder of its file', async () => {
    const files = {
      'a.yaml': 'version: 1\nchecks: { b: { module: chat }, Z: { module: image } }\n',
      'more/b.yaml': 'version: 1\nchecks: { a: { module: embeddings }, b: { module: chat } }\n',
    };
    const { manifest, diagnostics } = await readFiles(files);
    expect(diagnostics).toEqual([]);
    expect(manifest?.checks.map(({ name }) => name)).toEqual(['Z', 'a', 'b']);
    expect(manifest?.checks[1]?.folder).toMatch(/\/more$/);
    expect(manifest?.checks[2]?.folder).not.toMatch(/\/more$/);
  });

  test('may not have two different definitions', async () => {
    const files = {
      'a.yaml': 'version: 1\nchecks: { b: { module: chat } }\n',
      'b.yaml': 'version: 1\nchecks: { b: { module: image } }\n',
    };
    const { diagnostics } = await readFiles(files);
    expect(diagnostics.map(brief)).toEqual(['manifest.conflicting-field 2:14']);
    expect(diagnostics[0]?.related?.[0]?.place.file).toBe('a.yaml');
  });
});

describe('what keys select', () => {
  const text = `version: 1
defaults: { checks: [mine, free] }
keys: { b: {}, a: { checks: [enforcement] }, none: { checks: [] } }
checks: { mine: { module: chat } }
`;

  test('is their own, else that of the defaults; keys that select nothing are absent', async () => {
    const { manifest } = await readText(text);
    expect([...(manifest?.selections ?? [])]).toEqual([
      ['a', ['enforcement']],
      ['b', ['mine', 'free']],
    ]);
  });

  test('is empty without any selection', async () => {
    const { manifest } = await readText('version: 1\nkeys: { a: {} }\n');
    expect(manifest?.selections.size).toBe(0);
  });
});

describe('the validation of checks against the limits', () => {
  const judging = (path: readonly (string | number)[], message = 'is wrong'): ReadOptions => ({
    validateCheck: async () => [checkError(path, message)],
  });

  const METADATA = '{ seconds: 5 }';
  const MESSAGES = '[{}, { content: x }]';
  const EXPECT = '{ width: 8 }';
  const WHOLE = `{ module: image, size: 7, metadata: ${METADATA}, messages: ${MESSAGES}, expect: ${EXPECT} }`;

  test.each([
    [['request', 'size'], '7'],
    [['request', 'metadata', 'seconds'], '5'],
    [['request', 'messages', 1, 'content'], 'x'],
    [['request', 'messages', 5, 'content'], MESSAGES],
    [['request', 'prompt'], WHOLE],
    [['expect', 'width'], '8'],
    [['expect', 'height'], EXPECT],
    [['model'], WHOLE],
    [[], WHOLE],
  ] as const)('reports %j at its node, or at the nearest one that exists', async (path, at) => {
    const [problem, ...others] = await problemsOf(WHOLE, judging(path));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: 'manifest.invalid-check', severity: 'error' });
    expect(writtenAt(WHOLE, problem)).toBe(at);
    for (const part of [problem?.message, problem?.found, problem?.expected]) expect(part).toBeTruthy();
    expect(problem?.hint).toContain('docs/reference/limits.md');
  });

  test('runs for every well-formed definition, and no other', async () => {
    const seen: string[] = [];
    const validateCheck = async ({ name }: CheckSpec) => {
      seen.push(name);
      return [];
    };
    const text =
      'version: 1\nchecks: { a: { module: chat }, b: { module: chatt }, c: { module: chat, contains: x } }\n';
    await readFiles({ 'a.yaml': text }, { validateCheck });
    expect(seen).toEqual(['a']);
  });

  test('hides values from the environment in its messages', async () => {
    const env = { SIZE: '17x34' };
    const problems = await problemsOf('{ module: image, size: "${env:SIZE}" }', {
      env,
      ...judging(['request', 'size'], '17x34 is not a size'),
    });
    expect(problems.map(({ found }) => found)).toEqual(['"${env:SIZE}"']);
    expect(JSON.stringify(problems)).not.toContain('17x34');
    expect(problems[0]?.message).toContain('‹hidden› is not a size');
  });

  test('names the field by its path in the manifest', async () => {
    const [problem] = await problemsOf(
      '{ module: image, metadata: { n: [1] } }',
      judging(['request', 'metadata', 'n', 0]),
    );
    expect(problem?.message).toBe('The check is invalid: `metadata.n[0]` is wrong.');
  });
});

test('every definition is either read or reported, each diagnostic at its place', async () => {
  const field = fc.constantFrom(
    'module',
    'model',
    'family',
    'expect',
    'retries',
    'timeout',
    'schedule',
    'size',
    'tools',
  );
  const value = fc.oneof(
    fc.constantFrom('chat', 'video', 'free', '5s', 1, 0, null, {}, []),
    fc.dictionary(fc.constantFrom('contains', 'matches', 'maxCost', 'width', 'x', '__proto__'), fc.jsonValue()),
    fc.jsonValue({ maxDepth: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(field, value), async (definition) => {
      const { manifest, diagnostics } = await readText(page(JSON.stringify(definition)));
      expect(manifest === undefined).toBe(diagnostics.length > 0);
      expect(diagnostics.every(({ place }) => (place?.line ?? 0) === 3 && (place?.column ?? 0) >= 1)).toBe(true);
      if (manifest) expect(manifest.checks.map(({ name }) => name)).toEqual(['mine']);
    }),
    { numRuns: 500 },
  );
});

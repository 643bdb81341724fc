import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseShallowJson } from '../../src/domain/index.ts';
import { valuesIn } from '../../src/gateway/inference/sse.ts';
import { decodePlan } from '../../src/manifest/index.ts';
import { MOST_BYTES, readBoundedText } from '../../src/source/index.ts';
import { parseJson } from '../../src/wire/index.ts';
import { readFiles } from './scratch.ts';

/** Twenty kilobytes that nest without an end, and megabytes that do. */
const NESTED = ['['.repeat(20_000), '{"a":'.repeat(4_000), `${'['.repeat(1e6)}${']'.repeat(1e6)}`];

describe('a manifest at its limits', () => {
  it.each([
    ['keyplane.yaml', 'version: 1\nkeys: '],
    ['main.tf.json', ''],
  ])('that nests too deep is an error of %s', async (name, head) => {
    for (const nested of NESTED) {
      const { diagnostics } = await readFiles({ [name]: head + nested });
      expect(diagnostics.map(({ code }) => code)).toEqual(['manifest.syntax']);
    }
  });

  it('that never ends is an error after the bytes that are allowed', async () => {
    const { diagnostics } = await readFiles({}, { paths: ['/dev/zero'] });
    expect(diagnostics).toMatchObject([{ code: 'manifest.unreadable', found: 'it is larger than 4 MiB' }]);
  });

  it('that has more values than memory is refused before it is parsed, and counts all files', async () => {
    const half = `version: 1\nscope: "${':'.repeat(260_000)}"\n`;
    const { diagnostics } = await readFiles({ 'a.yaml': half, 'b.yaml': half });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        message: 'The manifest is too large.',
        place: expect.objectContaining({ file: 'b.yaml' }),
      }),
    );
  });

  it.each(['}', ']', '"" ', "'' ", '&a ', '*a ', '!a '])(
    'is refused before it is parsed for a million times %j',
    async (token) => {
      const { diagnostics } = await readFiles({ 'keyplane.yaml': token.repeat(1_100_000) });
      expect(diagnostics).toMatchObject([{ message: 'The manifest is too large.' }]);
    },
  );

  it('of Terraform JSON is refused before it is parsed for two million values', async () => {
    const { diagnostics } = await readFiles({ 'main.tf.json': `[${'[],'.repeat(2_100_000)}[]]` });
    expect(diagnostics).toMatchObject([{ message: 'The manifest is too large.' }]);
  });

  it('that has a mistake in each of its values lists 10,000 of them, and that there are more', async () => {
    const fields = Array.from({ length: 10_100 }, (_, n) => `  groop${n}: 1\n`);
    const { diagnostics } = await readFiles({ 'keyplane.yaml': `version: 1\ndefaults:\n${fields.join('')}` });
    expect(diagnostics.length).toBe(10_001);
    expect(diagnostics.at(-1)).toMatchObject({
      severity: 'error',
      message: 'Only the first 10,000 diagnostics are listed.',
      place: { line: 10_003 },
    });
  });

  it('that has thousands of errors explains the first of them', async () => {
    const { diagnostics } = await readFiles({ 'keyplane.yaml': `version: 1\n${'x: !!a !!b [ *c\n'.repeat(500)}` });
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThanOrEqual(20);
  });
});

describe('JSON that nests too deep', () => {
  it.each([
    ['a response', parseJson],
    ['an event of a stream', valuesIn],
    ['a record of an earlier run', parseShallowJson],
  ])('is a syntax error of %s', (_what, read) => {
    for (const nested of NESTED) expect(() => read(nested)).toThrow(SyntaxError);
    expect(() => read(`{"id": 12345678901234567890, "a": ${NESTED[2]}}`)).toThrow(SyntaxError);
  });

  it('is plan.unreadable in a saved plan', () => {
    for (const nested of NESTED) expect(() => decodePlan(nested)).toThrow('is not JSON');
  });

  it('differs from brackets in strings', () => {
    const text = JSON.stringify({ a: '['.repeat(200), b: '\\"[['.repeat(200) });
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });
});

describe('a file that never ends', () => {
  it('is read up to the limit of its kind', async () => {
    for (const most of [MOST_BYTES.credential, MOST_BYTES.terraformJson]) {
      await expect(readBoundedText('/dev/zero', most)).rejects.toThrow(`it is larger than ${most / 2 ** 20} MiB`);
    }
  });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  it('is read to the end of a writer that comes later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyplane-pipe-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readBoundedText(pipe, MOST_BYTES.yaml);
    await writeFile(pipe, 'version: 1\n'.repeat(50_000));
    expect(await read).toBe('version: 1\n'.repeat(50_000));
    const endless = expect(readBoundedText(pipe, MOST_BYTES.credential)).rejects.toThrow('it is larger than 1 MiB');
    await writeFile(pipe, Buffer.alloc(3 * MOST_BYTES.credential)).catch(() => undefined);
    await endless;
    await rm(folder, { recursive: true });
  });
});

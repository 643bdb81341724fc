import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { manifestJsonSchema, readManifest } from '../../src/manifest/index.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
const MARK = '# beyond-schema';

const env = {
  GATEWAY_URL: 'https://gateway.example.com',
  USER_ID: '42',
  FLAG: 'false',
  USD: '12.50',
  PER: 'month',
  MODEL: 'alpha-chat-1',
  IP: '10.0.0.0/8',
  EXPIRES: 'never',
  ANY: 'any',
  UNLIMITED: 'unlimited',
};

const bySchema = new Ajv2020({ allErrors: true, strictTypes: false }).compile(manifestJsonSchema() as object);

const filesOf = (folder: string): string[] => readdirSync(join(CORPUS, folder)).sort();
const textOf = (folder: string, file: string): string => readFileSync(join(CORPUS, folder, file), 'utf8');

/** The text as an editor's YAML reader gives it to the schema: references are not replaced. */
function acceptedBySchema(text: string): boolean {
  const documents = parseAllDocuments(text, { merge: true, uniqueKeys: false });
  return [...documents].every((document) => bySchema(document.toJS()));
}

async function errorsOf(folder: string, file: string): Promise<readonly string[]> {
  const { diagnostics } = await readManifest([file], {
    env,
    variables: Object.keys(env),
    cwd: join(CORPUS, folder),
    now: 1_800_000_000,
  });
  return diagnostics.filter((d) => d.severity === 'error').map((d) => `${d.code}: ${d.message} ${d.found}`);
}

describe('the accepted files of the corpus', () => {
  test.each(filesOf('accepted'))('%s is accepted by the reader', async (file) => {
    expect(await errorsOf('accepted', file)).toEqual([]);
  });

  test.each(filesOf('accepted'))('%s is accepted by the JSON Schema', (file) => {
    acceptedBySchema(textOf('accepted', file));
    expect(bySchema.errors ?? []).toEqual([]);
  });
});

describe('the rejected files of the corpus', () => {
  test.each(filesOf('refused'))('%s is rejected by the reader', async (file) => {
    expect(await errorsOf('refused', file)).not.toEqual([]);
  });

  const beyond = (file: string): boolean => textOf('refused', file).startsWith(MARK);

  test.each(filesOf('refused').filter((file) => !beyond(file)))('%s is rejected by the JSON Schema', (file) => {
    expect(acceptedBySchema(textOf('refused', file))).toBe(false);
  });

  // The schema must have every rule that JSON Schema can express, so a mark that is no longer needed must go.
  test.each(filesOf('refused').filter(beyond))('%s is beyond what JSON Schema can express', (file) => {
    expect(acceptedBySchema(textOf('refused', file))).toBe(true);
  });
});

test('the corpus is large enough to mean something', () => {
  expect(filesOf('accepted').length + filesOf('refused').length).toBeGreaterThanOrEqual(60);
});

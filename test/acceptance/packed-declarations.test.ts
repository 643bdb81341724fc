import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, readRoot } from '../architecture/repository.ts';
import { packedTarball } from './packed.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'keyplane-packed-types-'));
const home = join(folder, 'node_modules/keyplane');

const codeOf = (page: string): string =>
  [...readRoot(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code).join('\n');

/** Each line after an expectation must be an error: a type that accepts it fails the compilation. */
const ERRORS = `
import { type FaultCode, isKeyplaneError, type KeyplaneError } from 'keyplane';

export function explain(thrown: unknown): string {
  if (isKeyplaneError(thrown, 'plan.stale')) {
    const names: readonly string[] = (thrown.detail.moved ?? []).map(({ name }) => name);
    // @ts-expect-error a stale plan has no diagnostics
    thrown.detail.diagnostics;
    return names.join();
  }
  if (isKeyplaneError(thrown, 'manifest.invalid')) return (thrown.detail.diagnostics ?? []).map(({ code }) => code).join();
  if (isKeyplaneError(thrown, 'guard.mass-change')) return String(thrown.detail.refusals?.length);
  // @ts-expect-error there is no such code
  if (isKeyplaneError(thrown, 'plan.stail')) return '';
  if (!isKeyplaneError(thrown)) return '';
  const code: FaultCode = thrown.code;
  const status: number | undefined = thrown.status;
  const requestId: string | undefined = thrown.requestId;
  const retry: string = thrown.retry;
  // @ts-expect-error retry is one of a few words
  thrown.retry === 'perhaps';
  const sent: string | undefined = thrown.sent;
  // @ts-expect-error an error has no exit code
  thrown.exitCode;
  return [code, status, requestId, retry, sent].join();
}
export const isError = (error: KeyplaneError): Error => error;
`;

const REQUESTS = `
import type { ChatRequest, GatewayClient, ImageRequest, ImageResult, KeyToCreate, ManifestDocument } from 'keyplane';

export async function misspelled(gateway: GatewayClient, image: ImageResult): Promise<void> {
  const messages = [{ role: 'user', content: 'hello' }] as const;
  ({ model: 'a', messages: [...messages], temperature: 1 }) satisfies ChatRequest;
  // @ts-expect-error it is temperature
  ({ model: 'a', messages: [...messages], temprature: 1 }) satisfies ChatRequest;
  // @ts-expect-error there are three qualities, and auto
  ({ model: 'alpha-image-2', prompt: 'a fox', quality: 'best' }) satisfies ImageRequest;
  // @ts-expect-error a new key needs an amount
  ({ name: 'a' }) satisfies KeyToCreate;
  // @ts-expect-error it is group
  ({ keys: { a: { grup: 'vip' } } }) satisfies ManifestDocument;
  ({ keys: { a: { budget: { usd: 25, per: 'month' }, expires: new Date(0) } } }) satisfies ManifestDocument;
  // @ts-expect-error an update takes the ID of a key, not an older record of it
  await gateway.keys.update({ id: 1, name: 'a' }, { group: 'vip' });
  // @ts-expect-error it is timeoutMs
  await gateway.keys.get(1, { timeout: 1000 });
  // @ts-expect-error a link has no bytes
  if (image.kind === 'link') image.bytes satisfies Uint8Array;
  if (image.kind === 'bytes') image.bytes satisfies Uint8Array;
}
`;

const PAGES = ['docs/inference.md', 'docs/client.md'];
const sourceOf = (page: string): string => `${page.replace(/\W/g, '-')}.mts`;

const SOURCES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PAGES.map((page) => [sourceOf(page), codeOf(page)])),
  'errors.mts': ERRORS,
  'requests.mts': REQUESTS,
  'wrong.mts': "import { nothing } from 'keyplane';\nexport const a = nothing;\n",
};

/** The errors of one compilation of all sources against the packed package, in the strictest way. */
let errors: readonly string[] = [];

beforeAll(async () => {
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  await mkdir(home);
  await run('tar', ['-xzf', await packedTarball(), '--strip-components=1', '-C', home]);
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  for (const name of ['@types/node', 'undici-types', 'ipaddr.js']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'esnext.disposable'],
    types: ['node'],
  };
  for (const [name, text] of Object.entries(SOURCES)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(SOURCES) }));
  const words = [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'];
  const { stdout } = await run(process.execPath, words, { cwd: folder }).catch((failed: { stdout: string }) => failed);
  errors = stdout.split('\n').filter((line) => line !== '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The lines about a source. */
const errorsIn = (source: string): readonly string[] => errors.filter((line) => line.startsWith(source));

describe('the types of the packed package', () => {
  it('have no error themselves, without skipLibCheck', () => {
    expect(errors.filter((line) => !Object.keys(SOURCES).some((source) => line.startsWith(source)))).toEqual([]);
  });

  it.each(PAGES)('compile the code of %s', (page) => {
    expect(codeOf(page).length).toBeGreaterThan(500);
    expect(errorsIn(sourceOf(page))).toEqual([]);
  });

  it('narrow the detail of an error by its code, and know its request', () => {
    expect(errorsIn('errors.mts')).toEqual([]);
  });

  it('reject misspelled fields of requests, keys and manifests, and distinguish the results of images', () => {
    expect(errorsIn('requests.mts')).toEqual([]);
  });

  it('are seen to have an error, which the compilation reports', () => {
    expect(errorsIn('wrong.mts')).toEqual([expect.stringContaining("no exported member 'nothing'")]);
  });

  it('document every field of a request', async () => {
    const types = await readFile(join(home, 'dist/src/gateway/gen/request-bodies.d.ts'), 'utf8');
    const lines = types.split('\n');
    // The members of the bodies themselves are indented once.
    const fields = lines.flatMap((line, at) =>
      /^ {4}readonly \w+\??: /.test(line) ? [[line, lines[at - 1] ?? '']] : [],
    );
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(([, before = '']) => !before.endsWith('*/'))).toEqual([]);
  });
});

/** Loaded before the program: writes each module that is loaded to standard error. */
const RECORDER = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`
  import { writeSync } from 'node:fs';
  export async function load(url, context, next) {
    writeSync(2, url + '\\\\n');
    return next(url, context);
  }
\`));
`;

describe('the import of the packed package', () => {
  it('reads less than 150 kB, none of it a schema, a parser, a client or a renderer', async () => {
    await writeFile(join(folder, 'recorder.mjs'), RECORDER);
    await writeFile(join(folder, 'door.mjs'), "import 'keyplane';\n");
    const { stderr } = await run(process.execPath, ['--import', './recorder.mjs', 'door.mjs'], { cwd: folder });
    const own = stderr.split('\n').filter((url) => url.startsWith('file:') && url.includes('/keyplane/'));
    const paths = own.map((url) => fileURLToPath(url));
    const names = paths
      .map((path) => path.replace(/^.*\/dist\/(?:chunks\/)?/, '').replace(/-[\w-]{8}\.js$/, ''))
      .sort();
    expect(names).toEqual(['domain', 'library', 'rolldown-runtime', 'secret', 'src/index.js']);
    const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150_000);
  });
});

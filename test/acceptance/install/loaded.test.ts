import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReferenceGateway, startReferenceGateway } from '../../../src/reference/index.ts';
import { type Installation, installAlone } from './installation.ts';

const SEED = {
  accounts: [{ userId: 42, accessToken: 'rehearsal-only', quota: 50_000_000 }],
  groups: { default: {} },
  models: { 'alpha-chat-1': {}, 'alpha-image-2': {} },
};

/** Loaded before the program: writes each module that is loaded to a file, and each file that the program reads as its own. */
const RECORDER = `
import fs from 'node:fs';
import { register, syncBuiltinESMExports } from 'node:module';
const { LOADED } = process.env;
register('data:text/javascript,' + encodeURIComponent(\`
  import { appendFileSync } from 'node:fs';
  export async function load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(\${JSON.stringify(LOADED)}, url + '\\\\n');
    return next(url, context);
  }
\`));
const { readFileSync } = fs;
fs.readFileSync = (file, ...options) => {
  if (String(file).endsWith('.cjs')) fs.appendFileSync(LOADED, 'file://' + file + '\\n');
  return readFileSync(file, ...options);
};
syncBuiltinESMExports();
`;

const manifest = (url: string): string => `version: 1
gateway: { url: ${url}, userId: 42 }
keys:
  prod-one: { budget: { usd: 1 } }
`;

const WITH_CHECKS = `version: 1
keys:
  prod-one: { budget: { usd: 1 }, checks: [pong, poster] }
checks:
  pong: { module: chat, model: alpha-chat-1, expect: { contains: pong } }
  poster: { module: image, model: alpha-image-2, size: 1536x1024 }
`;

let installation: Installation;
let gateway: ReferenceGateway;
beforeAll(async () => {
  installation = await installAlone();
  gateway = await startReferenceGateway({ seed: SEED });
  await installation.write('recorder.mjs', RECORDER);
  await installation.write('keyplane.yaml', manifest(gateway.url));
  await installation.write('checks.yaml', WITH_CHECKS);
});
afterAll(async () => {
  await gateway.close();
  await installation.remove();
});

/** Returns the files of the package that a command loads, without the hashes in their names, and their bytes. */
async function loadedBy(name: string, words: readonly string[]) {
  const list = `${installation.folder}/${name.replaceAll(' ', '-')}.loaded`;
  const { code, stderr } = await installation.keyplane(words, {
    env: {
      ...{ NODE_OPTIONS: `--import ./recorder.mjs`, LOADED: list },
      ...{ KEYPLANE_ACCESS_TOKEN: 'rehearsal-only', KEYPLANE_URL: gateway.url },
    },
  });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const urls = (await readFile(list, 'utf8')).trimEnd().split('\n');
  const paths = urls.map((url) => fileURLToPath(url)).filter((path) => path.startsWith(installation.home));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  const names = paths.map((path) => path.replace(/^.*\/dist\/(?:cli\/)?/, '').replace(/-[\w-]{8}\.c?js$/, ''));
  return { files: names.sort(), kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1000 };
}

const START = ['domain', 'main.js', 'program', 'rolldown-runtime', 'secret', 'start', 'startup', 'version'];
const READING = ['reading', 'zod'];
const CHECKING = ['answers', 'checks', 'disk', 'request-media'];
const RUNNING = ['answers', 'commands', 'disk', 'http', 'run', 'system'];

/** The files that each command loads, and the most kilobytes that they may have. */
const COMMANDS = [
  { name: 'version', words: ['--version'], files: ['main.js'], most: 3 },
  { name: 'help, and mistakes', words: ['--help'], files: [...START, 'command-line', 'words'], most: 320 },
  {
    name: 'validate',
    words: ['validate'],
    files: [...START, ...READING, 'validate'],
    most: 700,
  },
  {
    name: 'validate with checks, no client of a gateway',
    words: ['validate', '-f', 'checks.yaml'],
    files: [...START, ...READING, ...CHECKING, 'validate'],
    most: 935,
  },
  {
    name: 'plan',
    words: ['plan'],
    files: [...START, ...READING, ...RUNNING],
    most: 1_392,
  },
];

describe('a start', () => {
  it.each(COMMANDS)('loads for $name only the files that it uses', async ({ name, words, files, most }) => {
    const loaded = await loadedBy(name, words);
    expect(loaded.files).toEqual(files.toSorted());
    expect(loaded.kilobytes).toBeLessThan(most);
  });
});

const DOORS = ['keyplane', 'keyplane/checks', 'keyplane/internals', 'keyplane/reference', 'keyplane/store'];

describe('the client of HTTP', () => {
  it('has no HTTP/2, which its connections never offer, and no forms', async () => {
    const chunks = `${installation.home}/dist/chunks`;
    const name = (await readdir(chunks)).find((file) => /^http-[\w-]{8}\.js$/.test(file));
    expect(await readFile(`${chunks}/${name}`, 'utf8')).not.toMatch(/node:http2|multipart\/form-data/);
  });
});

describe('the library', () => {
  it.each(DOORS)('loads nothing of the command line with %s', async (door) => {
    const list = `${installation.folder}/${door.replace('/', '-')}.loaded`;
    const env = { NODE_OPTIONS: '--import ./recorder.mjs', LOADED: list };
    const { code, stderr } = await installation.script(`await import('${door}');`, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await readFile(list, 'utf8')).not.toContain('/dist/cli/');
  });

  it('shows little of its own code with an error that a program does not catch', async () => {
    const account = `{ url: '${gateway.url}', userId: 42, accessToken: new Secret('another') }`;
    const { stderr } = await installation.script(
      `import { openGateway, Secret } from 'keyplane'; await (await openGateway(${account})).account();`,
    );
    expect(stderr).toContain("code: 'credentials.refused'");
    expect(stderr.length).toBeLessThan(4_000);
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CheckKeysRequest } from '../../../src/checks/index.ts';
import * as checks from '../../../src/checks/index.ts';
import * as keyplane from '../../../src/index.ts';
import { readMediaFacts } from '../../../src/media/index.ts';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { ROOT, readRoot } from '../../architecture/repository.ts';

const codeOf = (page: string): string => {
  const blocks = [...readRoot(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(4);
  return blocks.join('\n');
};
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...given: string[]
) => (...given: unknown[]) => Promise<void>;

/** The code of the page in one piece, with its imports as parameters and its files in a folder. */
function programOf(page: string, folder: string): string {
  return codeOf(page)
    .replace(/^import (\{[^}]+\}) from '([^']+)';$/gm, "const $1 = modules['$2'];")
    .replace(/'([\w-]+\.(png|jpg|mp4))'/g, (_, name: string) =>
      name === 'fox.png' ? `folder + '/fox.png'` : JSON.stringify(join(folder, name)),
    );
}

/** The seed on the page about inference. */
const [, SEED = ''] = /seed\.yaml -->\n```yaml\n([\s\S]*?)```/.exec(readRoot('docs/inference.md')) ?? [];

/** Runs the code of a page against a reference gateway. Returns what it printed. */
async function runPage(page: string, folder: string): Promise<readonly unknown[][]> {
  let ms = 1_800_000_000_000;
  const reference = await startReferenceGateway({
    now: () => ms / 1000,
    seed: parse(SEED),
  });
  // Time passes only where the page waits.
  const clock = {
    now: () => ms,
    sleep: async (wait: number) => {
      ms += wait;
    },
  };
  const opened: keyplane.GatewayClient[] = [];
  const openGateway = async (options: keyplane.GatewayClientOptions) => {
    const gateway = await keyplane.openGateway({ ...options, url: reference.url, clock });
    opened.push(gateway);
    return gateway;
  };
  const logged: unknown[][] = [];
  const checkKeys = (asked: CheckKeysRequest) =>
    checks.checkKeys({ ...asked, clock, ledger: join(folder, asked.ledger) });
  const modules = {
    keyplane: { ...keyplane, openGateway },
    'keyplane/checks': { ...checks, checkKeys },
    'node:fs/promises': await import('node:fs/promises'),
  };
  try {
    await new AsyncFunction('modules', 'console', 'folder', programOf(page, folder))(
      modules,
      { log: (...words: unknown[]) => logged.push(words) },
      folder,
    );
    return logged;
  } finally {
    await Promise.all(opened.map((gateway) => gateway.close()));
    await reference.close();
  }
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-page-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('matches the code on the page about inference', async () => {
  const logged = await runPage('docs/inference.md', folder);
  expect(logged[0]?.[0]).toBe('pong');
  const words = logged.flat().map(String);
  for (const word of ['succeeded', 'partial', 'completed', 'request.invalid', 'page reply passed'])
    expect(words).toContain(word);
  expect((await readdir(folder)).sort()).toEqual(['fox.png', 'wave.mp4', 'wide-fox.jpg']);
  expect(await readMediaFacts(await readFile(join(folder, 'wave.mp4')))).toMatchObject({ format: 'mp4', seconds: 4 });
});

it('matches the code on the page about the client', async () => {
  const lines = (await runPage('docs/client.md', folder)).map((words) => words.join(' '));
  expect(lines[0]).toMatch(/^balance: \d+ units, \$\d+\.\d+$/);
  expect(lines).toContain('2 team-search 12500000');
  expect(lines).toContain('disabled');
  expect(lines.at(-1)).toMatch(/^GET \/api\/status 200/);
});

it.each(['docs/inference.md', 'docs/client.md'])(
  '%s compiles in strict mode, with the built declarations',
  async (page) => {
    // Below the package, so that it finds itself by its name.
    const place = await mkdtemp(join(ROOT, 'node_modules/.cache/page-'));
    try {
      await writeFile(join(place, 'page.mts'), codeOf(page));
      const words = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--skipLibCheck',
        '--target',
        'es2022',
        '--lib',
        'es2023,esnext.disposable',
      ];
      const options = [
        '--module',
        'nodenext',
        '--types',
        'node',
        '--noUncheckedIndexedAccess',
        '--exactOptionalPropertyTypes',
      ];
      const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
      const run = promisify(execFile)(process.execPath, [compiler, ...words, ...options, join(place, 'page.mts')]);
      expect(
        await run.then(
          ({ stdout }) => stdout,
          ({ stdout }) => stdout,
        ),
      ).toBe('');
    } finally {
      await rm(place, { recursive: true });
    }
  },
);

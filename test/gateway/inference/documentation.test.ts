import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CheckKeysRequest } from '../../../src/checks/index.ts';
import * as checks from '../../../src/checks/index.ts';
import * as keyplane from '../../../src/index.ts';
import { readMediaFacts } from '../../../src/media/index.ts';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { readRoot } from '../../architecture/repository.ts';

const PAGE = readRoot('docs/inference.md');
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  ...given: string[]
) => (...given: unknown[]) => Promise<void>;

/** The code of the page in one piece, with its imports as parameters and its files in a folder. */
function programOf(folder: string): string {
  const blocks = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(blocks.length).toBeGreaterThan(4);
  return blocks
    .join('\n')
    .replace(/^import (\{[^}]+\}) from '([^']+)';$/gm, "const $1 = modules['$2'];")
    .replace(/'([\w-]+\.(png|jpg|mp4))'/g, (_, name: string) =>
      name === 'fox.png' ? `folder + '/fox.png'` : JSON.stringify(join(folder, name)),
    );
}

it('matches the code on the page about inference', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-inference-page-'));
  let ms = 1_800_000_000_000;
  const price = { price: 0.01 };
  const reference = await startReferenceGateway({
    now: () => ms / 1000,
    seed: {
      accounts: [{ userId: 42, accessToken: 'rehearsal-only', quota: 50_000_000 }],
      models: {
        'alpha-chat-1': {},
        'alpha-image-1': price,
        'alpha-image-2': price,
        'beta-imagine-image-2.0': price,
        'delta-H3': price,
      },
      keys: [{ name: 'page', key: 'rehearsal', unlimited_quota: true }],
    },
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
    await new AsyncFunction('modules', 'console', 'folder', programOf(folder))(
      modules,
      { log: (...words: unknown[]) => logged.push(words) },
      folder,
    );
    expect(logged[0]?.[0]).toBe('pong');
    const words = logged.flat().map(String);
    for (const word of ['succeeded', 'partial', 'completed', 'request.invalid', 'page model-list passed'])
      expect(words).toContain(word);
    expect((await readdir(folder)).sort()).toEqual(['fox.png', 'wave.mp4', 'wide-fox.jpg']);
    expect(await readMediaFacts(await readFile(join(folder, 'wave.mp4')))).toMatchObject({ format: 'mp4', seconds: 4 });
  } finally {
    await Promise.all(opened.map((gateway) => gateway.close()));
    await reference.close();
    await rm(folder, { recursive: true });
  }
});

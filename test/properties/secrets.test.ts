import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startReferenceGateway } from '../../src/reference/index.ts';
import { openTerminal } from '../cli/terminal.ts';
import { controlOf } from '../contract/control.ts';

/** Commands that a person might type, except for the one that prints secrets. */
const COMMANDS: readonly (readonly string[])[] = [
  ['validate'],
  ['plan'],
  ['plan', '--out', 'plan.json'],
  ['apply', '--yes'],
  ['apply', 'plan.json', '--yes'],
  ['drift'],
  ['drift', '--usage-cache', 'usage.json'],
  ['import', '--out', 'imported.yaml'],
  ['import', '--to', 'hcl', '--out', 'imported.tf'],
  ['import', '--to', 'cdk'],
  ['convert', '--to', 'hcl-json', '--out', 'converted.json'],
  ['destroy', '--yes'],
  ['keys', 'list'],
  ['keys', 'get', 'prod-a'],
  ['keys', 'disable', 'prod-a', '--yes'],
  ['keys', 'enable', '1', '--yes'],
  ['keys', 'delete', 'prod-b', '--yes'],
  ['account', 'show'],
  ['account', 'groups'],
  ['account', 'usage'],
  ['doctor'],
];

/** Answers that repeat what they were sent, as some gateways and proxies do; none that is waited out and asked again. */
const faults = (secrets: readonly string[]) => [
  { kind: 'refuse', message: `no such token: ${secrets.join(' ')}` },
  { kind: 'status', code: 500, message: `Authorization: Bearer ${secrets.join(' sk-')}` },
  { kind: 'html', status: 403 },
];

const accessToken = fc.stringMatching(/^[A-Za-z0-9]{16,48}$/);
/** Stored values have 48 characters at the gateways that there are. */
const secret = fc.stringMatching(/^[A-Za-z0-9]{48}$/);

const scene = fc.record({
  profile: fc.constantFrom('contract' as const, 'deployed' as const),
  accessToken,
  keys: fc.uniqueArray(secret, { minLength: 3, maxLength: 3 }),
  modelsKey: fc.nat(2),
  commands: fc.array(
    fc.record({
      words: fc.constantFrom(...COMMANDS),
      format: fc.constantFrom('text', 'json'),
      verbose: fc.boolean(),
      fault: fc.option(fc.record({ kind: fc.nat(2), skip: fc.nat(4) })),
    }),
    { minLength: 2, maxLength: 5 },
  ),
});

const MANIFEST = `version: 1
ownership: { scope: "prod-*", prune: disable }
keys:
  prod-a: { group: vip, budget: { usd: 3 }, models: [alpha-chat-1] }
  prod-new: { budget: unlimited, allowIps: [10.0.0.0/8] }
`;

async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
}

describe('no planted secret occurs in any output', () => {
  it('whatever is run, in whatever order, whatever the gateway answers', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async ({ profile, accessToken, keys, modelsKey, commands }) => {
        const names = ['prod-a', 'prod-b', 'other'];
        const seed = {
          accounts: [{ userId: 42, accessToken, quota: 5_000_000 }],
          groups: { default: {}, vip: {} },
          models: { 'alpha-chat-1': {} },
          keys: keys.map((key, i) => ({ name: names[i] ?? '', key, remain_quota: 500_000 })),
          limits: { api: null, search: null, reveal: null },
        };
        const folder = await mkdtemp(join(tmpdir(), 'keyplane-secrets-'));
        const gateway = await startReferenceGateway({ profile, seed, control: true });
        const control = controlOf(gateway.url);
        const env = {
          HOME: folder,
          KEYPLANE_URL: gateway.url,
          KEYPLANE_USER_ID: '42',
          KEYPLANE_ACCESS_TOKEN: accessToken,
          KEYPLANE_MODELS_KEY: `sk-${keys[modelsKey]}`,
        };
        try {
          await writeFile(join(folder, 'keyplane.yaml'), MANIFEST);
          await control.spend(1, 1000);
          let seen = '';
          for (const { words, format, verbose, fault } of commands) {
            if (fault) await control.script({ ...faults([accessToken, ...keys])[fault.kind], skip: fault.skip });
            const terminal = openTerminal({ env, cwd: folder });
            await terminal.run(...words, '--format', format, ...(verbose ? ['--verbose'] : []));
            await control.clearFaults();
            seen += terminal.out() + terminal.err();
          }
          seen += await filesOf(folder);
          for (const planted of [accessToken, ...keys]) expect(seen).not.toContain(planted);
        } finally {
          await gateway.close();
          await rm(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 40 },
    );
  });
});

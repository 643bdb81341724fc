import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineManifest, Secret } from 'keyplane';
import { startReferenceGateway } from 'keyplane/reference';
import { describe, expect, it, onTestFinished } from 'vitest';
import { proveKeys } from '../../examples/typescript/custom-check.ts';
import { applyTo, type Vault } from '../../examples/typescript/custom-sink.ts';
import { onboard } from '../../examples/typescript/new-team.ts';
import { reportDrift } from '../../examples/typescript/nightly-drift.ts';
import { commentOn } from '../../examples/typescript/plan-in-a-bot.ts';
import { ROOT } from '../architecture/repository.ts';

const FOLDER = join(ROOT, 'examples/typescript');

async function openAccount() {
  const reference = await startReferenceGateway({ profile: 'deployed' });
  const stateHome = await mkdtemp(join(tmpdir(), 'keyplane-examples-'));
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = stateHome;
  onTestFinished(async () => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
    await reference.close();
    await rm(stateHome, { recursive: true, force: true });
  });
  const [first] = reference.accounts;
  if (!first) throw new Error('there is no account');
  return { ...first, url: reference.url, stateHome };
}

describe('the programs of “Embed it”', () => {
  it('have 40 lines at most', async () => {
    for (const name of await readdir(FOLDER)) {
      const lines = (await readFile(join(FOLDER, name), 'utf8')).trimEnd().split('\n').length;
      expect([name, lines <= 40]).toEqual([name, true]);
    }
  });

  it('make the keys of a team once, report drift of them, comment on a change, and deliver their secrets', async () => {
    const { stateHome, ...account } = await openAccount();
    const form = { team: 'search', usdPerMonth: 25, until: new Date('2040-01-01T00:00:00.123Z') };
    expect(await onboard(form, account)).toEqual(['search-prod', 'search-test']);
    expect(await onboard(form, account)).toEqual([]);
    expect(await onboard({ ...form, team: 'x'.repeat(60) }, account)).toContain('The manifest is invalid:\n- keys.xxx');

    const path = join(stateHome, 'keyplane.yaml');
    const text = 'version: 1\nkeys:\n  search-prod: { group: vip }\n  search-new: { budget: { usd: 5 } }\n';
    await writeFile(path, text);
    const posts: string[] = [];
    await reportDrift({ manifest: path, ...account, post: async (message) => void posts.push(message) });
    expect(posts).toEqual([expect.stringContaining('- search-prod differs: an apply would update it')]);

    const comment = await commentOn(text, account);
    expect(comment).toContain('2 changes');
    expect(comment).toContain('| create | search-new |');
    expect(await commentOn('version: 1\nkeys: { a: { grup: x } }\n', account)).toMatch(/manifest:2:\d+: .*grup/s);

    const held = new Map<string, string>();
    const vault: Vault = {
      get: async (at) => held.get(at),
      put: async (at, value) => void held.set(at, value),
      remove: async (at) => void held.delete(at),
    };
    const manifest = await defineManifest({ keys: { 'search-prod': {}, 'search-test': {} } });
    const { accessToken, ...rest } = account;
    await applyTo(vault, manifest, { ...rest, accessToken: new Secret(accessToken) });
    expect([...held.keys()].toSorted()).toEqual(['keys/search-prod', 'keys/search-test']);
    expect([...held.values()].every((value) => value.startsWith('sk-'))).toBe(true);

    const proven = await proveKeys(manifest, 'alpha-chat-1', { ...rest, accessToken: new Secret(accessToken) });
    expect(proven).toMatch(/search-prod.*✓|answers-in-json/s);
    expect(proven).toContain('2 passed');
  });
});

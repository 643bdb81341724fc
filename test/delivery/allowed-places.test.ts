import { describe, expect, it } from 'vitest';
import type { RemoteTarget } from '../../src/domain/index.ts';
import { openRemoteIn } from './remote.ts';

/** Does a run with this permission refuse the sink before it reads a credential or sends anything? */
const isRefused = (target: RemoteTarget, ...allowed: readonly string[]): Promise<boolean> =>
  openRemoteIn(target, {}, {}, { allowed })
    .read(AbortSignal.abort())
    .then(
      () => false,
      (thrown) => thrown.code === 'sink.not-allowed',
    );

const GITHUB = 'github://api.github.com/acme/*';
const VAULT = 'vault://*.example.com/*';

describe('a place on the network', () => {
  it.each<[string, RemoteTarget, string]>([
    [
      'segments that lead back',
      { githubSecret: { url: 'https://api.github.com/acme/..', repository: 'evil/x', as: 'K' } },
      GITHUB,
    ],
    [
      'segments that lead back and are encoded',
      { githubSecret: { url: 'https://api.github.com/acme/%2E%2e', repository: 'evil/x', as: 'K' } },
      GITHUB,
    ],
    [
      'segments that lead back from a project',
      { gitlabVariable: { url: 'https://gitlab.com/acme/..', project: 'evil/x', as: 'K' } },
      'gitlab://gitlab.com/acme/*',
    ],
    [
      'a backslash, which ends the host as a slash does',
      { vault: { url: 'https://evil.test\\.example.com', path: 'a', as: 'k' } },
      VAULT,
    ],
    [
      'a path that looks like the end of a host',
      { vault: { url: 'https://evil.test/.example.com', path: 'a', as: 'k' } },
      VAULT,
    ],
    ['a path that looks like a port', { vault: { url: 'https://evil.test/x:1', path: 'a', as: 'k' } }, 'vault://*:1'],
    [
      'a mount that looks like an allowed namespace',
      { vault: { url: 'https://v.example.com', mount: 'team/secret', path: 'a', as: 'k' } },
      'vault://v.example.com/team//secret/*',
    ],
    [
      'a namespace that looks like an allowed mount',
      { vault: { url: 'https://v.example.com', namespace: 'secret', mount: 'a', path: 'b', as: 'k' } },
      'vault://v.example.com/secret/*',
    ],
    [
      'an address that looks like an allowed namespace',
      { vault: { url: 'https://v.example.com/team//', mount: 'secret', path: 'b', as: 'k' } },
      'vault://v.example.com/team//secret/*',
    ],
    [
      'a server in place of a region',
      { awsSecret: { url: 'https://evil.test', region: 'eu-west-1', name: 'prod/a' } },
      'aws://*/prod/*',
    ],
    [
      'a server in place of any region',
      { awsSecret: { url: 'https://evil.test', region: 'eu-west-1', name: 'prod/a' } },
      'aws://*',
    ],
  ])('is not taken for an allowed one by %s', async (_title, target, allowed) => {
    expect(await isRefused(target, 'file://x', allowed)).toBe(true);
  });

  it.each<[string, RemoteTarget, string]>([
    ['as it is', { githubSecret: { repository: 'acme/x', as: 'K' } }, GITHUB],
    [
      'with the port of its scheme',
      { githubSecret: { url: 'https://API.github.com:443/', repository: 'acme/x', as: 'K' } },
      GITHUB,
    ],
    ['by a kind alone', { githubSecret: { repository: 'acme/x', as: 'K' } }, 'github://*'],
    [
      'with its namespace',
      { vault: { url: 'https://v.example.com', namespace: 'team/a', path: 'b', as: 'k' } },
      'vault://v.example.com/team/*//secret/*',
    ],
    [
      'by its host alone, also in a namespace',
      { vault: { url: 'https://v.example.com', namespace: 'team/a', path: 'b', as: 'k' } },
      'vault://v.example.com/*',
    ],
    ['by a pattern of hosts', { vault: { url: 'https://vault.example.com', path: 'a', as: 'k' } }, VAULT],
  ])('is allowed %s', async (_title, target, allowed) => {
    expect(await isRefused(target, allowed)).toBe(false);
  });

  it.each(['aws://evil.test/*', '*'])(
    'that is an endpoint of AWS is allowed by its name or with everything: %s',
    async (allowed) => {
      const target = { awsSecret: { url: 'http://localhost:1', region: 'eu-west-1', name: 'a' } };
      expect(await isRefused(target, allowed.replace('evil.test', 'localhost:1'))).toBe(false);
    },
  );
});

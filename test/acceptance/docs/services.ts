import { startAws } from '../../delivery/servers/aws-server.ts';
import { startGithub } from '../../delivery/servers/github-server.ts';
import { startGitlab } from '../../delivery/servers/gitlab-server.ts';
import { startVault } from '../../delivery/servers/vault-server.ts';
import type { Rewrite } from './workplace.ts';

/** A service that a page delivers to, on loopback, with what the page calls it. */
export interface Service {
  readonly rewrites: readonly Rewrite[];
  readonly requests: readonly unknown[];
  close(): Promise<void>;
}

const hostOf = (url: string): string => new URL(url).host;

const START: Readonly<Record<string, () => Promise<Service>>> = {
  async vault() {
    const server = await startVault({ token: 'hvs.rehearsal-only' });
    const rewrites: readonly Rewrite[] = [
      ['https://vault.example.com', server.url],
      ['vault.example.com', hostOf(server.url)],
    ];
    return { ...server, rewrites };
  },
  async gitlab() {
    const server = await startGitlab({ token: 'glpat-rehearsal-only' });
    const rewrites: readonly Rewrite[] = [
      ['https://gitlab.example.com', server.url],
      ['gitlab.example.com', hostOf(server.url)],
    ];
    return { ...server, rewrites };
  },
  async github() {
    const server = await startGithub({ token: 'ghp_rehearsal-only' });
    const rewrites: readonly Rewrite[] = [
      ['repository: acme', `url: "${server.url}"\n          repository: acme`],
      ['github://api.github.com', `github://${hostOf(server.url)}`],
      ['GH_TOKEN=', 'GH_ENTERPRISE_TOKEN='],
    ];
    return { ...server, rewrites };
  },
  async aws() {
    const server = await startAws();
    const rewrites: readonly Rewrite[] = [
      ['name: prod/checkout', `url: "${server.url}"\n          name: prod/checkout`],
      ['aws://eu-central-1', `aws://${hostOf(server.url)}/eu-central-1`],
    ];
    return { ...server, rewrites };
  },
};

/** Starts the service of a page about a sink on the network; undefined for any other page. */
export async function tryStartService(path: string): Promise<Service | undefined> {
  const kind = /^docs\/sinks\/(\w+)\.md$/.exec(path)?.[1] ?? '';
  return Object.hasOwn(START, kind) ? await START[kind]?.() : undefined;
}

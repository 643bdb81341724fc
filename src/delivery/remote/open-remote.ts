import {
  Fault,
  GITHUB_URL,
  GITLAB_URL,
  type GithubTarget,
  type GitlabTarget,
  type RemoteTarget,
  type Secret,
  sinkAddress,
  type VaultTarget,
} from '../../domain/index.ts';
import type { SinkOperations } from '../../reconcile/index.ts';
import { awsSink } from './aws-sink.ts';
import { openCaller, type RemoteCaller, type RemoteService } from './caller.ts';
import type { SinkConnections } from './connections.ts';
import { GITHUB_HEADERS, GITHUB_PERMISSIONS, githubLimit, githubSink, reasonOfGithub } from './github-sink.ts';
import { GITLAB_PERMISSIONS, gitlabSink, reasonOfGitlab } from './gitlab-sink.ts';
import { findSinkToken, type TokenNames } from './token.ts';
import { VAULT_PERMISSIONS } from './vault-rights.ts';
import { reasonOfVault } from './vault-secret.ts';
import { vaultSink } from './vault-sink.ts';

/** The sinks on the network that a run may contact. */
export interface NetworkPermission {
  /** The addresses of sinks, in which `*` stands for any characters. */
  readonly allowed: readonly string[];
  /** A command that only reads passes over the other sinks; one that writes refuses them. */
  readonly others: 'withheld' | 'refused';
  readonly connections: SinkConnections;
}

/** The reason for leaving a sink alone. */
export const outsideText = (target: RemoteTarget): string =>
  `this run may not contact ${sinkAddress(target)}, which is not among the allowed sinks`;

/** A sink that this run may not contact: every method throws before anything is sent. */
export function refusedSink(id: string, target: RemoteTarget): SinkOperations {
  const refuse = async (): Promise<never> => {
    throw new Fault('sink.not-allowed', `“${id}”: ${outsideText(target)}.`, { remedy: 'allow-sink' });
  };
  return { probe: refuse, compare: refuse, write: refuse, read: refuse, remove: refuse };
}

export interface RemoteOptions {
  readonly connections: SinkConnections;
  readonly env: (name: string) => string | undefined;
}

/** The options of a service for one sink; see `RemoteService` for `asked`. */
interface ServiceOptions extends RemoteOptions {
  readonly asked: ReadonlySet<Secret>;
}

/** Opens the sink on the network that a manifest declares. Contacts nothing, and reads no credential yet. */
export function openRemote(target: RemoteTarget, options: RemoteOptions): SinkOperations {
  const asked = new Set<Secret>();
  const sink = serviceSink(target, { ...options, asked });
  return {
    ...sink,
    async compare(secret, signal) {
      asked.add(secret);
      return await sink.compare(secret, signal);
    },
    async write(secret, metadata, signal) {
      asked.add(secret);
      await sink.write(secret, metadata, signal);
    },
  };
}

function serviceSink(target: RemoteTarget, options: ServiceOptions): SinkOperations {
  if ('gitlabVariable' in target) return gitlabSink(target, gitlabCaller(target, options));
  if ('githubSecret' in target) return githubSink(target, githubCaller(target, options));
  // Its client has connections and credentials of its own.
  if ('awsSecret' in target) return awsSink(target, options.asked);
  return vaultSink(target, vaultCaller(target, options), options.connections(new URL(target.vault.url).origin));
}

/** The token of a service, which is looked up when it is needed first. */
function tokenOf(names: TokenNames, env: RemoteOptions['env']): () => Promise<Secret> {
  let found: Promise<Secret> | undefined;
  return () => {
    found ??= findSinkToken(names, env);
    return found;
  };
}

const baseOf = (url: string): string => url.replace(/\/+$/, '');

function vaultCaller({ vault: { url, namespace } }: VaultTarget, options: ServiceOptions): RemoteCaller {
  const service: RemoteService = {
    name: 'Vault',
    base: baseOf(url),
    connection: options.connections(new URL(url).origin),
    token: tokenOf({ service: 'Vault', names: ['VAULT_TOKEN', 'BAO_TOKEN'] }, options.env),
    asked: options.asked,
    headersWith: (token) => ({
      'x-vault-token': token.reveal(),
      'x-vault-request': 'true',
      ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
    }),
    reasonOf: reasonOfVault,
    permissions: VAULT_PERMISSIONS,
    readHeaders: ['date'],
  };
  return openCaller(service);
}

function gitlabCaller({ gitlabVariable: { url = GITLAB_URL } }: GitlabTarget, options: ServiceOptions): RemoteCaller {
  return openCaller({
    name: 'GitLab',
    base: baseOf(url),
    connection: options.connections(new URL(url).origin),
    token: tokenOf({ service: 'GitLab', names: ['GITLAB_TOKEN'] }, options.env),
    asked: options.asked,
    headersWith: (token) => ({ 'private-token': token.reveal() }),
    reasonOf: reasonOfGitlab,
    permissions: GITLAB_PERMISSIONS,
    readHeaders: ['x-next-page'],
  });
}

/** The distance between two writes that GitHub asks for. */
const GITHUB_DISTANCE_MS = 1000;

/** The variables that GitHub’s own tool reads: a server of one’s own has its own token. */
function githubTokens(host: string): readonly string[] {
  const isCloud = host === 'api.github.com' || host.endsWith('.ghe.com');
  return isCloud ? ['GH_TOKEN', 'GITHUB_TOKEN'] : ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];
}

function githubCaller({ githubSecret: { url = GITHUB_URL } }: GithubTarget, options: ServiceOptions): RemoteCaller {
  const { origin, hostname } = new URL(url);
  return openCaller({
    name: 'GitHub',
    base: baseOf(url),
    connection: options.connections(origin),
    token: tokenOf({ service: 'GitHub', names: githubTokens(hostname) }, options.env),
    asked: options.asked,
    headersWith: (token) => ({
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${token.reveal()}`,
      'x-github-api-version': '2022-11-28',
    }),
    reasonOf: reasonOfGithub,
    permissions: GITHUB_PERMISSIONS,
    limitOf: githubLimit,
    readHeaders: GITHUB_HEADERS,
    writeDistanceMs: GITHUB_DISTANCE_MS,
  });
}

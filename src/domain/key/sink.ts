import { comparableAddress } from '../comparable-address.ts';
import type { Place } from '../diagnostic.ts';

/** An entry of a file that other people and programs also write to, or a file that holds nothing but the secret. */
export type FileTarget =
  | { readonly file: string; readonly format: 'dotenv' | 'json' | 'yaml'; readonly as: string }
  | { readonly file: string; readonly format: 'raw' };

/** A file that only the holders of these age keys can read. */
export interface AgeTarget {
  readonly file: string;
  readonly encrypt: readonly string[];
}

/** The end of the name of a second file, next to an encrypted one. */
export const SIDECAR = '.keyplane';

/** A manifest of a Kubernetes Secret, for a repository that a GitOps operator reads. */
export interface KubernetesTarget {
  readonly kubernetesSecret: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly file: string;
    /** The entry of the Secret that holds the value. Default: `api-key`. */
    readonly as?: string | undefined;
  };
}

/** A program that gets the secret on standard input. */
export interface ExecTarget {
  readonly exec: readonly string[];
  /** A program that prints the value that the sink holds. */
  readonly read?: readonly string[] | undefined;
  /** Names of variables that the programs get. */
  readonly env?: readonly string[] | undefined;
  /** The longest time that a program may take: `60s`. */
  readonly timeout?: string | undefined;
}

/** One entry of a secret of Vault or OpenBao, in a key-value store of version 2. */
export interface VaultTarget {
  readonly vault: {
    /** `https://vault.example.com` */
    readonly url: string;
    readonly namespace?: string | undefined;
    /** Default: `secret`. */
    readonly mount?: string | undefined;
    readonly path: string;
    /** The entry that holds the value; others stay as they are. */
    readonly as: string;
  };
}

/** A CI/CD variable of GitLab, of a project or of a group. */
export interface GitlabTarget {
  readonly gitlabVariable: {
    /** Default: `https://gitlab.com`. */
    readonly url?: string | undefined;
    readonly project?: string | undefined;
    readonly group?: string | undefined;
    /** The name of the variable. */
    readonly as: string;
    /** The scope; `*`, the default, is every environment. */
    readonly environment?: string | undefined;
    /** Hidden in the logs of jobs. Default: true. */
    readonly masked?: boolean | undefined;
    /** Never shown again, not even to maintainers. */
    readonly hidden?: boolean | undefined;
    /** For protected branches and tags only. */
    readonly protected?: boolean | undefined;
  };
}

/** A secret of GitHub Actions, of a repository or of one of its environments. */
export interface GithubTarget {
  readonly githubSecret: {
    /** The address of the API. Default: `https://api.github.com`. */
    readonly url?: string | undefined;
    /** `acme/shop` */
    readonly repository: string;
    readonly environment?: string | undefined;
    /** The name of the secret. */
    readonly as: string;
  };
}

/** A secret of AWS Secrets Manager whose value is the secret alone. */
export interface AwsTarget {
  readonly awsSecret: {
    readonly name: string;
    readonly region: string;
    /** Another endpoint than the public one of the region. */
    readonly url?: string | undefined;
  };
}

/** The place where a secret is delivered, as the manifest names it. Paths are relative to the folder of the manifest. */
export type SinkTarget = FileTarget | AgeTarget | KubernetesTarget | RemoteTarget | ExecTarget;

/** A place that is reached over the network. */
export type RemoteTarget = VaultTarget | GitlabTarget | GithubTarget | AwsTarget;

export const SINK_KINDS = ['file', 'age', 'kubernetes', 'vault', 'gitlab', 'github', 'aws', 'exec'] as const;
export type SinkKind = (typeof SINK_KINDS)[number];

/** Is it reached over the network? */
export const isRemote = (target: SinkTarget): target is RemoteTarget =>
  'vault' in target || 'gitlabVariable' in target || 'githubSecret' in target || 'awsSecret' in target;

/** The end of the secret in its sink when its key is destroyed. */
export const SINK_ENDS = ['keep', 'remove'] as const;
export type SinkEnd = (typeof SINK_ENDS)[number];

/** One sink of a key. */
export interface DeclaredSink {
  readonly target: SinkTarget;
  /** Takes over an entry that Keyplane did not write. */
  readonly adopt: boolean;
  /** The time until the readers of the sink have what was written to it. */
  readonly propagateSeconds: number;
  readonly onDestroy: SinkEnd;
  /** The folder that the paths of the target are relative to, and which they never leave. Absolute. */
  readonly folder: string;
  readonly place?: Place;
}

/** Returns the kind of a target. */
export function sinkKind(target: SinkTarget): SinkKind {
  if ('exec' in target) return 'exec';
  if ('kubernetesSecret' in target) return 'kubernetes';
  if ('vault' in target) return 'vault';
  if ('gitlabVariable' in target) return 'gitlab';
  if ('githubSecret' in target) return 'github';
  if ('awsSecret' in target) return 'aws';
  return 'encrypt' in target ? 'age' : 'file';
}

/** A word that needs no quotes to be distinct from its neighbours. */
const PLAIN_WORD = /^[^\s"]+$/u;

type Join = (...parts: readonly (string | undefined)[]) => string;

/** Joins words with blanks, so that no other words give the same text: one with a blank is quoted, also an empty one. */
const words: Join = (...parts) =>
  parts
    .filter((part) => part !== undefined)
    .map((part) => (PLAIN_WORD.test(part) ? part : JSON.stringify(part)))
    .join(' ');

/** Names a sink for people: `file .env OPENAI_API_KEY`. The same for every run; unique among the sinks of one folder. */
export const sinkId = (target: SinkTarget): string => idOf(target, words);

/** The name that earlier versions gave a sink, without quotes: what they recorded about it is found by that name. */
export const formerSinkId = (target: SinkTarget): string =>
  idOf(target, (...parts) => parts.filter((part) => part !== undefined && part !== '').join(' '));

/**
 * Lists who and what gets a secret with its sink, apart from those who can read its place: the recipients of an encrypted file, the
 * program that reads it back and the variables of programs. A sink has its name, whoever they are.
 */
export function sinkAudience(target: SinkTarget): readonly string[] {
  if ('encrypt' in target) return [...new Set(target.encrypt)].sort().map((recipient) => words('recipient', recipient));
  if (!('exec' in target)) return [];
  const variables = [...new Set(target.env)].sort().map((name) => words('variable', name));
  return [...(target.read ? [words('read', ...target.read)] : []), ...variables];
}

function idOf(target: SinkTarget, words: Join): string {
  if ('exec' in target) return words('exec', ...target.exec);
  if ('kubernetesSecret' in target) {
    const { file, name, namespace } = target.kubernetesSecret;
    return words('kubernetes', file, namespace === undefined ? name : `${namespace}/${name}`);
  }
  if ('vault' in target) return words(sinkAddress(target), target.vault.as);
  if ('awsSecret' in target) return sinkAddress(target);
  if ('githubSecret' in target) return words(sinkAddress(target), target.githubSecret.as);
  if ('gitlabVariable' in target) {
    const { as, environment = '*' } = target.gitlabVariable;
    return words(sinkAddress(target), as, environment === '*' ? undefined : environment);
  }
  if ('encrypt' in target) return words('age', target.file);
  return words('file', target.file, 'as' in target ? target.as : undefined);
}

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('/');

/** The host of an address, with its path if it has one: as requests are sent there, however a manifest spells it. */
const hostOf = (url: string): string => {
  // A path must not look like the end of a namespace.
  const [, host = '', path = ''] = /^(?:https?:\/\/)?([^/]*)(.*)$/.exec(comparableAddress(url)) ?? [];
  return host + path.replace(/\/{2,}/g, '/');
};

/** The separator between the namespace of Vault and the mount: neither of them can contain it. */
export const NAMESPACE_END = '//';

/**
 * Names the place of a sink on the network, for the list of places that a run may contact:
 * `vault://vault.example.com/secret/apps/checkout`, and `vault://vault.example.com/team-a//secret/apps/checkout` in a namespace.
 */
export function sinkAddress(target: RemoteTarget): string {
  if ('gitlabVariable' in target) {
    const { url = GITLAB_URL, project, group } = target.gitlabVariable;
    return `gitlab://${joined(hostOf(url), project ?? joined('groups', group))}`;
  }
  if ('githubSecret' in target) {
    const { url = GITHUB_URL, repository, environment } = target.githubSecret;
    return `github://${joined(hostOf(url), repository, environment && joined('environments', environment))}`;
  }
  if ('awsSecret' in target) {
    const { url, region, name } = target.awsSecret;
    return `aws://${joined(url && hostOf(url), region, name)}`;
  }
  const { url, namespace, mount = 'secret', path } = target.vault;
  const at = namespace === undefined ? hostOf(url) : joined(hostOf(url), namespace) + NAMESPACE_END.slice(1);
  return `vault://${joined(at, mount, path)}`;
}

/**
 * Names the place of a sink as its service distinguishes places: two spellings of one place are equal. Files are left to those who
 * know their folder.
 */
export function sinkPlace(target: SinkTarget): string {
  const id = sinkId(target);
  // Names of repositories, environments and secrets have no case at GitHub, and paths of projects and groups none at GitLab.
  if ('githubSecret' in target) return id.toLowerCase();
  if (!('gitlabVariable' in target)) return id;
  const address = sinkAddress(target);
  return address.toLowerCase() + id.slice(address.length);
}

export const GITLAB_URL = 'https://gitlab.com';
export const GITHUB_URL = 'https://api.github.com';

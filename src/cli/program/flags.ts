import { PROFILE_NAMES } from '../../domain/index.ts';
import { ENDINGS, type Format } from './command.ts';
import type { Option } from './option.ts';

const orList = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Flags that every command has. */
export const everyCommand = (formats: readonly Format[]): readonly Option[] => [
  {
    flag: 'format',
    group: 'Output',
    value: 'FORMAT',
    choices: formats,
    summary: `output format: ${orList(formats)} (default: text)`,
  },
  { flag: 'no-color', group: 'Output', summary: 'disable colours' },
];

export const OUT: Option = {
  flag: 'out',
  group: 'Output',
  value: 'FILE',
  completes: 'file',
  output: 'file',
  summary: 'write the result to this file instead of standard output',
};

/** For commands that write their result to further files. */
export const reportFlag = (formats: readonly Format[]): Option => ({
  flag: 'report',
  group: 'Output',
  value: 'FILE',
  repeatable: true,
  completes: 'file',
  output: 'file',
  summary: `also write the report to this file; its extension selects the format: ${orList(formats.map((each) => ENDINGS[each]))}; may be repeated`,
});

/** For commands that read manifests. */
const ENV: Option = {
  flag: 'env',
  group: 'Manifest',
  value: 'NAME',
  repeatable: true,
  variable: 'KEYPLANE_MANIFEST_ENV',
  summary: 'let ${env:NAME} in the manifest refer to this variable; may be repeated',
};

export const MANIFEST: readonly Option[] = [
  {
    flag: 'file',
    group: 'Manifest',
    short: 'f',
    value: 'PATH',
    repeatable: true,
    completes: 'file',
    summary: 'manifest file or folder, or Terraform JSON such as cdktf.out; may be repeated (default: keyplane.yaml)',
  },
  ENV,
];

/** For commands that judge the declared keys. */
export const POLICY: Option = {
  flag: 'policy',
  group: 'Manifest',
  value: 'FILE',
  repeatable: true,
  completes: 'file',
  variable: 'KEYPLANE_POLICY',
  summary: 'file of rules that every declared key must keep, in addition to those of the manifest; may be repeated',
};

/** For commands that work without a gateway, on a manifest from a stranger. */
export const UNTRUSTED: Option = {
  flag: 'untrusted',
  group: 'Manifest',
  summary: 'the manifest may come from a stranger: replace no references, use no credentials and no network',
};

const CA_FILE: Option = {
  flag: 'ca-file',
  group: 'Gateway',
  value: 'FILE',
  completes: 'file',
  variable: 'KEYPLANE_CA_FILE',
  summary: 'PEM file of certificate authorities to trust in addition to the system’s',
};

export const GATEWAY_PROFILE: Option = {
  flag: 'gateway-profile',
  group: 'Gateway',
  value: 'PROFILE',
  completes: 'file',
  variable: 'KEYPLANE_GATEWAY_PROFILE',
  summary: `profile of the gateway: ${orList(PROFILE_NAMES)}, or a file that keyplane conformance wrote (default: recognized)`,
};

const TIMEOUT: Option = {
  flag: 'timeout',
  group: 'Gateway',
  value: 'TIME',
  variable: 'KEYPLANE_TIMEOUT',
  summary: 'time limit for one request, such as 2m (default: 30s)',
};

/** The flags about the connection to the gateway. */
const CONNECTION: readonly Option[] = [
  { flag: 'url', group: 'Gateway', value: 'URL', variable: 'KEYPLANE_URL', summary: 'base URL of the gateway' },
  {
    flag: 'user-id',
    group: 'Gateway',
    value: 'ID',
    variable: 'KEYPLANE_USER_ID',
    summary: 'numeric user ID of the account',
  },
  CA_FILE,
  GATEWAY_PROFILE,
  TIMEOUT,
  {
    flag: 'concurrency',
    group: 'Gateway',
    value: 'N',
    variable: 'KEYPLANE_CONCURRENCY',
    summary: 'maximum number of concurrent requests (default: 8)',
  },
  { flag: 'verbose', group: 'Gateway', summary: 'log every request to standard error' },
];

/** For the command that works without a gateway, unless a flag names one. */
export const GATEWAY_KIND: readonly Option[] = [
  {
    flag: 'url',
    group: 'Gateway',
    value: 'URL',
    summary:
      'also ask the gateway at this base URL of which kind it is, without credentials, and show the fields that it does not keep',
  },
  CA_FILE,
  GATEWAY_PROFILE,
  TIMEOUT,
];

/** For commands that connect to the gateway, whose address may be in a manifest. */
export const ACCOUNT: readonly Option[] = [...MANIFEST, ...CONNECTION];

export const SELECT: Option = {
  flag: 'key',
  group: 'Selection',
  value: 'GLOB',
  repeatable: true,
  summary: 'only keys whose name matches; supports the wildcards * and ?; may be repeated',
};

/** For commands that select keys by their metadata in the manifest. */
export const SELECT_METADATA: readonly Option[] = [
  {
    flag: 'owner',
    group: 'Selection',
    value: 'OWNER',
    repeatable: true,
    summary: 'only keys of this owner, by the manifest; may be repeated',
  },
  {
    flag: 'label',
    group: 'Selection',
    value: 'NAME[=VALUE]',
    repeatable: true,
    summary: 'only keys with this label, by the manifest; repeated: with all of them',
  },
];

export const BASE: Option = {
  flag: 'base',
  group: 'Manifest',
  value: 'BASE',
  completes: 'file',
  summary: 'earlier manifest to compare with: a file or folder, or a git ref at which the -f paths are read',
};

/** Flags that decide what a plan may contain. */
export const PLANNING: readonly Option[] = [
  BASE,
  {
    flag: 'allow-enable',
    group: 'Permissions',
    value: 'NAME',
    repeatable: true,
    summary: 'enable this key although somebody disabled it at the gateway; may be repeated',
  },
];

export const END_ANYWAY: Option = {
  flag: 'end-anyway',
  group: 'Permissions',
  summary: 'end old generations whose overlap is over, although nothing shows that nobody uses them',
};

export const YES: Option = { flag: 'yes', group: 'Permissions', summary: 'skip the confirmation' };

export const LOG_PAGES: Option = {
  flag: 'max-log-pages',
  group: 'Usage log',
  value: 'N',
  summary: 'maximum number of usage log pages to read for budgets (default: 2000)',
};

export const TRUST_LOG: Option = {
  flag: 'assume-log-complete',
  group: 'Usage log',
  summary: 'raise budgets as far as the usage log asks for, although nothing shows that it is complete',
};

export const MAX_DELETES: Option = {
  flag: 'max-deletes',
  group: 'Permissions',
  value: 'N',
  summary: 'allow the run to delete or disable up to N keys',
};

/** Flags that lift a guard for one run. */
export const GUARDS: readonly Option[] = [
  MAX_DELETES,
  {
    flag: 'allow-last-key',
    group: 'Permissions',
    summary: 'allow all owned keys, or the last enabled one, to be deleted or disabled',
  },
  { flag: 'allow-protected', group: 'Permissions', summary: 'allow changes to protected keys' },
  { flag: 'allow-unknown-groups', group: 'Permissions', summary: 'allow groups that the account does not have' },
  { flag: 'allow-unknown-models', group: 'Permissions', summary: 'allow models that the account does not have' },
];

export const PRUNE_ANYWAY: Option = {
  flag: 'prune-anyway',
  group: 'Permissions',
  summary: 'delete or disable undeclared keys even if a create, rename or enable of this run fails',
};

export const LOCK_KINDS = ['gateway', 'file', 'none'] as const;

export const LOCK: Option = {
  flag: 'lock',
  group: 'Locking',
  value: 'KIND',
  choices: LOCK_KINDS,
  variable: 'KEYPLANE_LOCK',
  summary:
    'keep other runs from writing on every machine (gateway), on this one (file) or nowhere (none); default: gateway',
};

export const LOCK_TIMEOUT: Option = {
  flag: 'lock-timeout',
  group: 'Locking',
  value: 'TIME',
  summary: 'longest wait for another run to finish, such as 30m; 0 fails immediately (default: 10m)',
};

/** For commands that wait for other runs before they write. */
export const LOCKING: readonly Option[] = [LOCK, LOCK_TIMEOUT];

export const SETTLE: Option = {
  flag: 'settle',
  group: 'Locking',
  value: 'SECONDS',
  summary: 'time to wait for a create whose response was lost, before it is created again (default: 120)',
};

/** The same code is for both but for the names of two packages. */
export const CDK: Option = {
  flag: 'cdk',
  value: 'PACKAGE',
  choices: ['cdktf', 'cdktn'],
  summary: 'CDK package to generate code for: cdktf or cdktn (default: cdktf)',
};

/** Languages that keys can be written in. */
export const languageFlags = (what: string): readonly Option[] => [
  {
    flag: 'to',
    value: 'LANGUAGE',
    choices: ['yaml', 'hcl', 'hcl-json', 'cdk'],
    summary: `${what}: yaml, hcl, hcl-json or cdk`,
  },
  CDK,
];

/** For commands whose `--out` may name a file that was edited or cannot be made again. */
export const REPLACE: Option = { flag: 'yes', group: 'Permissions', summary: 'replace the --out file if it exists' };

/** For commands that deliver secrets. */
export const ALLOW_EXEC: Option = {
  flag: 'allow-exec',
  group: 'Permissions',
  summary: 'run the programs that `deliver` names in the manifest, with secrets on their standard input',
};

import type { Environment } from './io.ts';

/** Every variable that Keyplane reads, with what it is for: the documentation is made from this table. */
export const VARIABLES = {
  KEYPLANE_URL: 'Base URL of the gateway.',
  KEYPLANE_ALLOWED_ORIGINS:
    'Origins of gateways, separated by commas, that may receive credentials when only the manifest names them.',
  KEYPLANE_MANIFEST_ENV: 'Names of variables, separated by commas, that `${env:NAME}` in a manifest may refer to.',
  KEYPLANE_POLICY: 'Files of policies, separated by commas, in addition to those of `--policy`.',
  KEYPLANE_USER_ID: 'Numeric ID of the user that the access token belongs to.',
  KEYPLANE_ACCESS_TOKEN: 'System access token.',
  KEYPLANE_ACCESS_TOKEN_FILE: 'File that contains the system access token. Give it mode 0600.',
  KEYPLANE_CA_FILE: 'PEM file of certificate authorities to trust in addition to the system’s.',
  KEYPLANE_TIMEOUT: 'Time limit for one request: `30s`, `2m`, or a number of seconds.',
  KEYPLANE_GATEWAY_PROFILE: 'Profile of the gateway: a name, or a file that `keyplane conformance` wrote.',
  KEYPLANE_CONCURRENCY: 'Maximum number of concurrent requests.',
  KEYPLANE_MODELS_KEY: 'An API key (`sk-…`) with which Keyplane lists the account’s models.',
  KEYPLANE_ALLOWED_SINKS:
    'Addresses of sinks on the network that `plan`, `drift` and `apply` may contact, separated by commas; `*` stands for any characters: `vault://vault.example.com/secret/*`.',
  VAULT_TOKEN: 'Token for sinks in Vault or OpenBao.',
  VAULT_TOKEN_FILE: 'File that contains the token for sinks in Vault or OpenBao.',
  BAO_TOKEN: 'Token for sinks in OpenBao, where `VAULT_TOKEN` is not set.',
  BAO_TOKEN_FILE: 'See `BAO_TOKEN`.',
  GITLAB_TOKEN: 'Token for sinks in GitLab.',
  GITLAB_TOKEN_FILE: 'File that contains the token for sinks in GitLab.',
  GH_TOKEN: 'Token for sinks in GitHub.',
  GH_TOKEN_FILE: 'File that contains the token for sinks in GitHub.',
  GITHUB_TOKEN: 'Token for sinks in GitHub, where `GH_TOKEN` is not set.',
  GITHUB_TOKEN_FILE: 'See `GITHUB_TOKEN`.',
  GH_ENTERPRISE_TOKEN: 'Token for sinks in a GitHub Enterprise Server.',
  GH_ENTERPRISE_TOKEN_FILE: 'File that contains the token for sinks in a GitHub Enterprise Server.',
  GITHUB_ENTERPRISE_TOKEN: 'See `GH_ENTERPRISE_TOKEN`, where that is not set.',
  GITHUB_ENTERPRISE_TOKEN_FILE: 'See `GITHUB_ENTERPRISE_TOKEN`.',
  HTTP_PROXY: 'Proxy for http:// gateways; the lower-case name works too.',
  HTTPS_PROXY: 'Proxy for https:// gateways; the lower-case name works too.',
  NO_PROXY: 'Hosts to reach without a proxy; the lower-case name works too.',
  NO_COLOR: 'Disables colours when set to any value.',
  FORCE_COLOR: 'Enables colours without a terminal when set to any value except `0`.',
  CI: 'Shows progress as plain lines when set.',
  KEYPLANE_LOCK: 'Kind of lock: `gateway`, `file` or `none`.',
  GITHUB_SERVER_URL: 'With the next two, the address of the job in the lock of the account. GitHub Actions sets them.',
  GITHUB_REPOSITORY: 'See `GITHUB_SERVER_URL`.',
  GITHUB_RUN_ID: 'See `GITHUB_SERVER_URL`.',
  CI_JOB_URL: 'Address of the job in the lock of the account. GitLab CI sets it.',
  XDG_CACHE_HOME:
    'Absolute path of the folder for caches (default: `~/.cache`). Its folder `keyplane` has compiled code of Keyplane, which makes it start faster, and may be removed at any time.',
  NODE_DISABLE_COMPILE_CACHE: 'Keeps no compiled code when set.',
  XDG_STATE_HOME:
    'Absolute path of the folder for the lock of a running apply (default: `~/.local/state`). Where it is not writable, the lock is in the folder for temporary files.',
} as const satisfies Record<string, string>;

export type Variable = keyof typeof VARIABLES;

/** An empty variable counts as unset. */
export const variable = (env: Environment, name: Variable): string | undefined => env[name] || undefined;

import type { CommandTree } from './command.ts';
import { ON_ACCOUNT } from './tree/account.ts';
import { PROVING } from './tree/checks.ts';
import { ON_KEYS } from './tree/keys.ts';
import { ON_LOCK } from './tree/lock.ts';
import { ON_MANIFEST } from './tree/manifest.ts';
import { ON_PROVIDER } from './tree/provider.ts';
import { RECONCILING } from './tree/reconciling.ts';
import { TOOLS } from './tree/tools.ts';
import { ON_USAGE } from './tree/usage.ts';
import { packageVersion } from './version.ts';

/** Every command there is. Parsing, help, documentation and completions are made from it. */
export const TREE: CommandTree = {
  name: 'keyplane',
  summary: 'Infrastructure as code for the API keys of an LLM gateway: declare, plan, apply, detect drift.',
  families: {
    keys: 'Inspect and change individual keys',
    account: 'Inspect the account that owns the keys',
    usage: 'Inspect what keys spend',
    lock: 'Inspect and break the lock of the account',
    provider: 'Install and inspect the provider for Terraform and OpenTofu',
  },
  commands: [
    ...ON_MANIFEST,
    ...RECONCILING,
    ...PROVING,
    ...ON_KEYS,
    ...ON_USAGE,
    ...ON_ACCOUNT,
    ...ON_LOCK,
    ...ON_PROVIDER,
    ...TOOLS,
  ],
  version: packageVersion,
};

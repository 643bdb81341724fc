// The page of the profile `deployed`: what gateways of this family do beside the contract, and where it is silent.
import { ACCOUNT } from './deployed/account.mjs';
import { KEYS } from './deployed/keys.mjs';
import { LIMITS } from './deployed/limits.mjs';
import { LINES } from './deployed/lines.mjs';
import { FORK_SEED } from './world.mjs';

const INTRO = `What \`keyplane gateway --profile deployed --control\` answers where the contract is silent, as gateways of this family that run in production do. Each of it
is something to be ready for, nothing to rely on. The accounts and keys are those of [the other page](transcripts-contract.md), which shows what both
profiles do alike; beside them this gateway has a field \`rate_limit\` that the contract does not know. The commands run in the order in which they stand.
Some come from an address of their own (\`X-Forwarded-For\`), because searches and reveals are limited by address.`;

export const DEPLOYED_PAGE = {
  seed: FORK_SEED,
  title: 'Transcripts: a gateway as deployed',
  intro: INTRO,
  sections: [...ACCOUNT, ...KEYS, ...LIMITS],
  linesTitle: 'What deployed gateways do → shown by',
  lines: LINES,
};

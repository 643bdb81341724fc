// The page of the profile `deployed`: the behaviour of gateways of this family that the contract does not define.
import { ACCOUNT } from './deployed/account.ts';
import { KEYS } from './deployed/keys.ts';
import { LIMITS } from './deployed/limits.ts';
import { LINES } from './deployed/lines.ts';
import type { Page } from './page.ts';
import { FORK_SEED } from './world.ts';

const INTRO = `The answers of \`keyplane gateway --profile deployed --control\` where the contract is silent; production gateways of this family behave the same. Be prepared
for each of them, but do not rely on any. The accounts and keys are those of [the other page](transcripts-contract.md), which shows the behaviour that both
profiles share; in addition, this gateway has a field \`rate_limit\` that the contract does not define. The commands run in this order.
Some come from a separate address (\`X-Forwarded-For\`), because searches and reveals are limited by address.`;

export const DEPLOYED_PAGE: Page = {
  seed: FORK_SEED,
  title: 'Transcripts: a gateway as deployed',
  intro: INTRO,
  sections: [...ACCOUNT, ...KEYS, ...LIMITS],
  linesTitle: 'What deployed gateways do → shown by',
  lines: LINES,
};

// The page of the profile `contract`: its sections in the order of the contract.
import { ACCOUNT } from './contract/account.mjs';
import { KEYS } from './contract/keys.mjs';
import { LINES } from './contract/lines.mjs';
import { LOGS } from './contract/logs.mjs';
import { UPDATES } from './contract/updates.mjs';
import { SEED } from './world.mjs';

const INTRO = `Every endpoint of the System API, asked with curl, and the answers of \`keyplane gateway --profile contract --control\`. The headings follow
the contract; the table at the end says for each of its lines where it is shown. What the contract leaves open is a choice of this gateway, and described
in [the reference gateway](../reference-gateway.md).

\`GATEWAY\` is its address. There are two accounts: Anna (42, \`token-of-anna\`) has the keys 1 \`checkout\`, 2 \`index\`, 3 \`router\` (Smart Routing), 4 \`lapsed\`
(state 3) and 5 \`spent\` (state 4); Bert (43, \`token-of-bert\`) has 6 \`of-bert\`. The commands run in the order in which they stand, the clock stands still
at 1800000000 until it is moved, and of the answer's headers \`date\`, \`connection\` and \`keep-alive\` are left out.`;

export const CONTRACT_PAGE = {
  seed: SEED,
  title: 'Transcripts: the gateway of the contract',
  intro: INTRO,
  sections: [...ACCOUNT, ...KEYS, ...UPDATES, ...LOGS],
  linesTitle: 'Contract line → shown by',
  lines: LINES,
};

// The page of the profile `contract`: its sections in the order of the contract.
import { ACCOUNT } from './contract/account.ts';
import { KEYS } from './contract/keys.ts';
import { LINES } from './contract/lines.ts';
import { LOGS } from './contract/logs.ts';
import { UPDATES } from './contract/updates.ts';
import type { Page } from './page.ts';
import { SEED } from './world.ts';

const INTRO = `Every endpoint of the System API, called with curl, and the answers of \`keyplane gateway --profile contract --control\`. The headings follow
the contract; the table at the end lists the sections that show each of its lines. Where the contract leaves a choice, this gateway makes one;
[the reference gateway](../reference-gateway.md) describes it.

\`GATEWAY\` is its address. There are two accounts: Anna (42, \`token-of-anna\`) has the keys 1 \`checkout\`, 2 \`index\`, 3 \`router\` (Smart Routing), 4 \`lapsed\`
(state 3) and 5 \`spent\` (state 4); Bert (43, \`token-of-bert\`) has 6 \`of-bert\`. The commands run in this order, the clock stays
at 1800000000 until a command moves it, and the answers omit the headers \`date\`, \`connection\` and \`keep-alive\`.`;

export const CONTRACT_PAGE: Page = {
  seed: SEED,
  title: 'Transcripts: the gateway of the contract',
  intro: INTRO,
  sections: [...ACCOUNT, ...KEYS, ...UPDATES, ...LOGS],
  linesTitle: 'Contract line → shown by',
  lines: LINES,
};

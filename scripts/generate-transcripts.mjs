// Writes docs/reference/transcripts-{contract,deployed}.md: real curl commands to a reference gateway of each profile,
// with their answers. With --check it writes nothing and fails when a page is not what it would write. Needs a build and
// curl; without curl a check is skipped, and says so.
import { startReferenceGateway } from '../dist/src/reference/index.js';
import { checking, settle } from './generated-file.mjs';
import { CONTRACT_PAGE } from './transcripts/contract.mjs';
import { isCurlHere } from './transcripts/curl.mjs';
import { DEPLOYED_PAGE } from './transcripts/deployed.mjs';
import { renderPage } from './transcripts/page.mjs';
import { numbered, START } from './transcripts/world.mjs';

const PAGES = { contract: CONTRACT_PAGE, deployed: DEPLOYED_PAGE };

const say = (line) => process.stdout.write(`${line}\n`);

async function transcriptOf(profile, page) {
  const gateway = await startReferenceGateway({
    ...{ profile, seed: page.seed, control: true },
    ...{ now: () => START, random: numbered() },
  });
  try {
    return await renderPage(page, gateway.url);
  } finally {
    await gateway.close();
  }
}

if (await isCurlHere()) {
  for (const [profile, page] of Object.entries(PAGES)) {
    settle(`docs/reference/transcripts-${profile}.md`, await transcriptOf(profile, page));
  }
} else {
  say(`${checking ? 'skipped: ' : ''}scripts/generate-transcripts.mjs (curl is not installed)`);
  if (!checking) process.exitCode = 1;
}

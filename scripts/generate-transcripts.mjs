// Writes docs/reference/transcripts-{contract,deployed}.md: real curl commands to a reference gateway of each profile,
// with their answers. With --check it writes nothing and fails when a page is not what it would write. Needs a build and
// curl; without curl a check is skipped, and says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { startReferenceGateway } from '../dist/src/reference/index.js';
import { CONTRACT_PAGE } from './transcripts/contract.mjs';
import { isCurlHere } from './transcripts/curl.mjs';
import { DEPLOYED_PAGE } from './transcripts/deployed.mjs';
import { renderPage } from './transcripts/page.mjs';
import { numbered, START } from './transcripts/world.mjs';

const root = resolve(import.meta.dirname, '..');
const checking = process.argv.includes('--check');
const PAGES = { contract: CONTRACT_PAGE, deployed: DEPLOYED_PAGE };

const say = (line) => process.stdout.write(`${line}\n`);

function tryRead(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function settle(path, wanted) {
  const file = resolve(root, path);
  if (tryRead(file) === wanted) return;
  if (checking) {
    say(`${path} is not up to date: run \`npm run generate\``);
    process.exitCode = 1;
    return;
  }
  writeFileSync(file, wanted);
  say(`wrote ${path}`);
}

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

import { startReferenceGateway } from '../../src/reference/index.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { CONTRACT_PAGE } from './transcripts/contract.ts';
import { isCurlInstalled } from './transcripts/curl.ts';
import { DEPLOYED_PAGE } from './transcripts/deployed.ts';
import { type Page, renderPage } from './transcripts/page.ts';
import { numbered, START } from './transcripts/world.ts';

const PAGES = { contract: CONTRACT_PAGE, deployed: DEPLOYED_PAGE } as const;

async function transcriptOf(profile: keyof typeof PAGES, page: Page): Promise<string> {
  const gateway = await startReferenceGateway({
    profile,
    seed: page.seed,
    control: true,
    now: () => START,
    random: numbered(),
  });
  try {
    return await renderPage(page, gateway.url);
  } finally {
    await gateway.close();
  }
}

/**
 * Writes docs/reference/transcripts-{contract,deployed}.md: real curl commands to a reference gateway of each profile,
 * with their answers. Without curl a check of the pages is skipped, and reported as skipped.
 */
export async function generateTranscripts(files: GeneratedFiles): Promise<void> {
  if (!(await isCurlInstalled())) {
    if (files.checking) process.stdout.write('skipped: the transcripts (curl is not installed)\n');
    else files.fail('the transcripts were not generated, because curl is not installed');
    return;
  }
  for (const profile of ['contract', 'deployed'] as const)
    files.settle(`docs/reference/transcripts-${profile}.md`, await transcriptOf(profile, PAGES[profile]));
}

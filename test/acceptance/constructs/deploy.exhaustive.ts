import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT, readRoot } from '../../architecture/repository.ts';
import { stepsOf } from '../docs/page.ts';
import { ACCESS_TOKEN, openPlace } from '../place.ts';
import { skipWithoutTerraform } from '../terraform/stack.ts';

const run = promisify(execFile);

/** Rewrites a line of the page, which is for `cdktf`, for this CDK. */
const CDKS: Readonly<Record<string, (line: string) => string>> = {
  cdktf: (line) => line,
  cdktn: (line) =>
    line
      .replaceAll('cdktf-cli@0.21', 'cdktn-cli')
      .replaceAll('cdktf', 'cdktn')
      // Its command line needs Node.js 22.
      .replace(/^npx cdktn /, 'npx -y -p node@24 node node_modules/.bin/cdktn '),
};

/** The lines of the page that install something, and the one that deploys. */
const OF_DEPLOYING = /^(npm install|keyplane provider install|npx cdktf deploy)/;

/** Writes the files of the page, and runs its lines that install or deploy. */
async function followPage(folder: string, url: string, asWritten: (text: string) => string): Promise<void> {
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, CI: '1', CHECKPOINT_DISABLE: '1' },
    KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN,
  };
  const runLine = (line: string) => {
    const here = asWritten(line)
      .replace(/^keyplane /, 'npx --no-install keyplane ')
      .replace(/ deploy /, ' deploy --auto-approve ');
    return run('bash', ['-c', here], { cwd: folder, env, maxBuffer: 2 ** 26 });
  };
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
  for (const step of stepsOf(readRoot('docs/constructs.md'))) {
    if (step.kind === 'file') {
      await writeFile(join(folder, step.name), asWritten(step.text).replaceAll('http://127.0.0.1:8787', url));
    }
    if (step.kind !== 'commands') continue;
    for (const line of step.lines.filter((line) => OF_DEPLOYING.test(line))) await runLine(line);
  }
}

describe('a program of the page on constructs, in an empty folder with the newest versions of the registry', () => {
  it.for(Object.keys(CDKS))('is deployed by the tool of %s', async (cdk, context) => {
    skipWithoutTerraform(context);
    const place = await openPlace();
    const folder = await mkdtemp(join(tmpdir(), 'keyplane-deploy-'));
    try {
      await followPage(folder, place.url, CDKS[cdk] ?? String);
      expect((await place.keys()).map(({ name }) => name)).toEqual(['prod-checkout']);
    } finally {
      await rm(folder, { recursive: true, force: true });
      await place.close();
    }
  });
});

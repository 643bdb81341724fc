import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GatewayProfile, probesOf } from '../../src/conformance/index.ts';
import { type GeneratedFiles, ROOT } from './generated-files.ts';
import { table } from './markdown.ts';

const FOLDER = 'docs/conformance';
const NOTICE = '<!-- Generated from docs/conformance by `npm run generate`. Do not edit. -->';

const INTRODUCTION = `# Which gateways work

Each column is a gateway that was examined with \`keyplane conformance --level inference\`, built from source with an empty database; each line is one question. The
reports are in [conformance](conformance). [Find out what your own gateway does](conformance.md).

**Bold** values deviate from the contract. Keyplane works with all of them; what they mean for you is in the reports.
`;

interface Examined {
  readonly name: string;
  readonly profile: GatewayProfile;
}

const examined = (): readonly Examined[] =>
  readdirSync(join(ROOT, FOLDER))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      profile: JSON.parse(readFileSync(join(ROOT, FOLDER, file), 'utf8')) as GatewayProfile,
    }));

/** Writes the page that compares the gateways whose profiles are kept. */
export function generateCompatibility(files: GeneratedFiles): void {
  const gateways = examined();
  const heads = gateways.map(({ name }) => `[${name.replace(/-(?=\d)/, ' ')}](conformance/${name}.md)`);
  const rows = probesOf('inference', { model: '', quota: 0 }).map(({ id, title, conforming }) => {
    const values = gateways.map(({ profile: { observed } }) => {
      const value = observed[id];
      if (value === undefined) return '?';
      return Object.hasOwn(conforming, value) ? value : `**${value}**`;
    });
    return [title, ...values];
  });
  files.settle('docs/compatibility.md', [NOTICE, '', INTRODUCTION, table(['question', ...heads], rows), ''].join('\n'));
}

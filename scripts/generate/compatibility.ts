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

**Bold** values deviate from the contract, and a question mark means that nothing could be observed. Keyplane works with all of them; what they mean for you is in the reports.
`;

/** The differences of older releases of new-api, by the first release without them: seen on v0.6.3, v0.8.4, v0.8.9, v0.9.28, v0.10.9, v0.11.9 and v0.12.2. */
const OLDER: readonly (readonly [before: string, gateway: string, keyplane: string])[] = [
  [
    '0.12.3',
    'does not reveal several credentials in one request',
    'reveals them one by one, usually at most 20 in 20 minutes',
  ],
  [
    '0.11.4',
    'lists credentials in clear and does not reveal them: whoever can list keys can use them',
    'takes the credential from the record, keeps it as a secret, and shows none',
  ],
  [
    '0.10.8',
    'answers a search with all that it finds, and names no request in its log',
    'reads the search whole; checks pass, but what they were charged is unknown',
  ],
  [
    '0.10.1',
    'ignores address ranges, so that a key with ranges alone is open to everybody',
    'notes ranges in the plan, refuses to write them, and shows a key as the gateway treats it. Single addresses work',
  ],
  ['0.10.0', 'limits names to 30 bytes', 'reports the refusal of the gateway'],
  ['0.8.6.2', 'deletes keys one by one only', 'does the same'],
  [
    '0.8.4',
    'lists keys without a total, in pages that count from 0',
    'reads all keys by a search for any name, so that no key is missed between two pages, and stops if the list has more keys than the search finds',
  ],
];

const OLDER_RELEASES = `## Older releases of new-api

Each line is about the releases before a version; those above it apply to them too. Update the gateway where you can.
`;

/** The differences of the other kinds: seen on Veloera v0.3.25, one-api v0.6.10, one-hub v0.14.27 and done-hub v1.23.18. */
const OTHERS: readonly (readonly [kind: string, gateway: string, keyplane: string])[] = [
  [
    'all four',
    'list credentials in clear and do not reveal them, delete keys one by one, and limit names to 30 bytes',
    'takes credentials from records and shows none; notes longer names in the plan, and refuses them',
  ],
  ['Veloera, one-api, one-hub', 'name no request in their log', 'checks pass, but what they were charged is unknown'],
  [
    'Veloera',
    'ignores address ranges, so that a key with ranges alone is open to everybody',
    'refuses to write ranges. Single addresses work',
  ],
  [
    'Veloera',
    'lists models even for an address that the key does not allow, and rejects everything else from there',
    '`forbidden-address` decides by a chat without messages. `spoofed-address` needs a second address',
  ],
  [
    'Veloera, one-api',
    'list keys without a total',
    'reads all keys by a search for any name, so that no key is missed between two pages, and stops if the list has more keys than the search finds',
  ],
  [
    'one-api',
    'keeps models in `models` and addresses in `subnet`, as ranges. Without a model listed, a key may use any',
    'writes both there, a single address as a range of one. Refuses an empty allowlist, which would allow every model',
  ],
  ['one-api', 'has no groups of keys', 'refuses a group'],
  [
    'one-hub, done-hub',
    'keep models and addresses in `setting`, next to settings of their own',
    'writes both there, and keeps the rest of it, and `backup_group`, as they are',
  ],
  [
    'one-hub, done-hub',
    'with MySQL or MariaDB, reject some of several creates at the same time: a deadlock of the database',
    'creates keys one after the other',
  ],
  [
    'one-hub',
    'lists models for a key that the key may not use, and rejects such a model with 404',
    'the check `model-list` fails, and `forbidden-model` passes',
  ],
  [
    'done-hub',
    'rejects a model that the key may not use with 503, as if it were overloaded, and lists the models that it may use',
    '`forbidden-model` is unprovable; use `model-list`',
  ],
  [
    'one-api, one-hub, done-hub',
    'log the name of a key and not its ID; one-api and one-hub do not count the use of unlimited keys',
    'a budget per day or month is filled up only as far as the record of the key proves its use',
  ],
];

const OTHER_GATEWAYS = `## Other gateways of the family

Keyplane recognizes these kinds by what they answer, without any setting, and reads and writes keys in their form. Budgets, rotation, delivery, drift and checks work as
with new-api, apart from these differences:
`;

interface Examined {
  readonly name: string;
  readonly profile: GatewayProfile;
}

const COMPARED = `${FOLDER}/compared`;

const COMPARISON = `## How equal the reference gateway is

A server and the reference gateway got the same requests. Each line is a report, with the part of the answers and of the keys that were equal and the
random sequences of requests without a difference. Each server kept its keys in SQLite, unless the line names another database. [Compare your own
server](../CONTRIBUTING.md#tests-on-a-running-server).
`;

/** The figures of a report, as it states them: the part for single requests, the number for sequences. */
function comparisonRow(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, COMPARED, file), 'utf8');
  const [, name, profile] = /^# (.+) and the reference gateway, (.+)$/m.exec(text) ?? [];
  const figures = [...text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| ([\d.]+ %) \|$/gm)];
  if (name === undefined || profile === undefined || figures.length !== 3) throw new Error(`${file} is not a report`);
  const cells = figures.map(([, what = '', equal, all, part]) =>
    what.includes('sequences') ? `${equal} of ${all}` : `${part}`,
  );
  return [`[${name}](${COMPARED.replace(/^docs\//, '')}/${file})`, `\`${profile}\``, ...cells];
}

const comparisonRows = (): readonly (readonly string[])[] =>
  readdirSync(join(ROOT, COMPARED))
    .sort()
    .map((file) => comparisonRow(file));

const examined = (): readonly Examined[] =>
  readdirSync(join(ROOT, FOLDER))
    .filter((file) => file.endsWith('.json'))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
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
  const questions = table(['question', ...heads], rows);
  const comparisons = table(['server', 'profile', 'answers', 'keys', 'sequences'], comparisonRows());
  const older = table(['before', 'the gateway', 'Keyplane'], OLDER);
  const others = table(['kind', 'the gateway', 'Keyplane'], OTHERS);
  const releases = [OLDER_RELEASES, older, '', OTHER_GATEWAYS, others, ''];
  const parts = [NOTICE, '', INTRODUCTION, questions, '', ...releases, COMPARISON, comparisons, ''];
  files.settle('docs/compatibility.md', parts.join('\n'));
}

// Writes docs/reference/check-modules.md: what each check module proves, from the catalog in src/checks. With --check it
// writes nothing and fails when the file is not what it would write. Needs a build.
import { CATALOG } from '../dist/src/checks/catalog.js';
import { CHECK_MODULES } from '../dist/src/domain/index.js';
import { settle } from './generated-file.mjs';

const NOTICE = '<!-- Made by scripts/generate-check-modules.mjs from src/checks. Do not edit. -->';

const INTRO = `What each module asks and what a passed check of it proves. Beside that, every answer is held against what its request asked for and what its definition expects; see [checks](../checks.md) and [their fields](../manifest.md#checks).`;

const CLASSES = `Of class \`free\` is what costs nothing, \`cheap\` what costs about as much as a chat. What is \`costly\` runs only when it is asked for by name, or with \`--costly\`.`;

const seconds = (ms) => (ms % 60_000 === 0 && ms > 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`);
const code = (text) => `\`${text}\``;

const row = ({ id, schedule, timeoutMs, expects, proves }) =>
  `| ${[code(id), schedule, seconds(timeoutMs), proves, expects.map(code).join(', ') || 'none'].join(' | ')} |`;

const HEAD = '| module | class | time for one attempt | proves | `expect` |\n| --- | --- | --- | --- | --- |';

const section = ([kind, modules]) => {
  const rows = CATALOG.filter(({ id }) => modules.includes(id)).map(row);
  return `## ${kind[0].toUpperCase()}${kind.slice(1)}\n\n${[HEAD, ...rows].join('\n')}`;
};

settle(
  'docs/reference/check-modules.md',
  `${['# Check modules', NOTICE, INTRO, CLASSES, ...Object.entries(CHECK_MODULES).map(section)].join('\n\n')}\n`,
);

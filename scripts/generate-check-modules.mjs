// Writes docs/reference/check-modules.md: what each check module proves, from the catalog in src/checks, and the assertions
// that each can check, from the table in src/domain. Writes the assertions as an interface for the constructs, too. With
// --check it writes nothing and fails when a file differs. Needs a build.
import { CATALOG } from '../dist/src/checks/catalog.js';
import { ASSERTIONS, CHECK_MODULES, MEDIA_FORMATS } from '../dist/src/domain/index.js';
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

const modulesOf = (name) => CATALOG.filter(({ expects }) => expects.includes(name)).map(({ id }) => code(id));

const assertions = () => {
  const rows = Object.entries(ASSERTIONS).map(
    ([name, { terraform, doc }]) => `| ${code(name)} | ${code(terraform)} | ${doc} | ${modulesOf(name).join(', ')} |`,
  );
  return `## Assertions

The fields of \`expect\`. A check rejects an assertion that its module cannot evaluate.

${['| manifest, constructs | Terraform | meaning | modules |', '| --- | --- | --- | --- |', ...rows].join('\n')}`;
};

const sections = Object.entries(CHECK_MODULES).map(section);

settle(
  'docs/reference/check-modules.md',
  `${['# Check modules', NOTICE, INTRO, CLASSES, ...sections, assertions()].join('\n\n')}\n`,
);

/** The type of each kind of assertion in a program. */
const TYPES = {
  text: 'string',
  texts: 'string | readonly string[]',
  pattern: 'string',
  jsonSchema: '{ readonly [member: string]: JsonValue }',
  count: 'number',
  seconds: 'number',
  flag: 'boolean',
  mediaFormat: MEDIA_FORMATS.map((format) => `'${format}'`).join(' | '),
  usd: 'number | string',
};

const members = Object.entries(ASSERTIONS).map(
  ([name, { kind, doc }]) => `  /** ${doc} */\n  readonly ${name}?: ${TYPES[kind]};`,
);

settle(
  'constructs/cdk/check/smoke-check-expect.ts',
  `// Made by scripts/generate-check-modules.mjs from src/domain/check/assertions.ts. Do not edit.
import type { JsonValue } from '../key/key-fields.ts';

/** Assertions about the answer, beyond what the request already asks for. */
export interface SmokeCheckExpect {
${members.join('\n')}
}
`,
);

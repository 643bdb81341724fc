import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, EXIT_MEANINGS, EXIT_OF_FACT, EXIT_OF_FAULT, PRECEDENCE, TREE } from '../../src/cli/index.ts';
import { DIAGNOSTIC_CODES, FAULTS, PLAN_NOTES } from '../../src/domain/index.ts';
import { type GeneratedFiles, ROOT } from './generated-files.ts';
import { code, table } from './markdown.ts';

const NOTICE = '<!-- Generated from the tables in src/domain and src/cli by `npm run generate`. Do not edit. -->';

const RETRY_MEANINGS = {
  yes: 'can be sent again',
  look: 'may have taken effect, so Keyplane looks it up first',
  no: 'is not sent again',
} as const;

const EFFECTS = { reads: 'reads', writes: 'writes', destroys: '**destroys**' } as const;

const keysOf = <Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] =>
  Object.keys(record) as Key[];

const faultsWithExit = (exit: number): string =>
  keysOf(EXIT_OF_FAULT)
    .filter((fault) => EXIT_OF_FAULT[fault] === exit)
    .map(code)
    .join(', ');

const page = (title: string, ...parts: readonly string[]): string =>
  `${[`# ${title}`, NOTICE, ...parts].join('\n\n')}\n`;

const PAGES: Readonly<Record<string, string>> = {
  'docs/reference/exit-codes.md': page(
    'Exit codes',
    'Scripts can rely on these numbers. `--format json` also gives the fault code.',
    `When several codes hold, a command exits with the first of ${PRECEDENCE.join(', ')}.`,
    table(
      ['code', 'meaning', 'faults'],
      keysOf(EXIT).map((name) => [EXIT[name], EXIT_MEANINGS[name], faultsWithExit(EXIT[name])]),
    ),
    '`plan`, `apply` and `drift` see some facts differently. `plan --detailed-exitcode` exits with 2 instead of 0 when changes are pending; `drift` exits with 2 when `--fail-on` lists the kind of the fact, and else with 0:',
    table(
      ['fact', '`plan`', '`apply`', '`drift`', '`--fail-on`'],
      keysOf(EXIT_OF_FACT).map((fact) => {
        const { plan, apply, drift, failOn } = EXIT_OF_FACT[fact];
        return [fact, plan, apply, drift, code(failOn)];
      }),
    ),
    '`apply` exits with 5 when it could not do a part of its work: a change failed, deletes were withheld because a check failed, or a key spent during an update and its budget could not be corrected. A later `drift` reports what is left as `drift`.',
  ),
  'docs/reference/faults.md': page(
    'Faults',
    'A fault is a problem outside your manifest: with the gateway, the network, the machine, or Keyplane itself. Each fault has a stable code and one exit code. The last column shows what happens to the *request* that failed; you can always run the *command* again.',
    table(
      ['code', 'exit', 'meaning', 'the request'],
      keysOf(FAULTS).map((fault) => [
        code(fault),
        EXIT_OF_FAULT[fault],
        FAULTS[fault].doc,
        RETRY_MEANINGS[FAULTS[fault].retry],
      ]),
    ),
  ),
  'docs/reference/diagnostics.md': page(
    'Diagnostics',
    'A diagnostic is about the contents of a manifest. Keyplane collects all of them and shows them together, each with its file, line and column. Errors end the command with exit code 3; warnings do not.',
    table(
      ['code', 'meaning'],
      Object.entries(DIAGNOSTIC_CODES).map(([name, about]) => [code(name), about]),
    ),
  ),
  'docs/reference/notes.md': page(
    'Notes of a plan',
    'A note points out a fact that is neither a change nor a problem. Notes do not affect the exit code.',
    table(
      ['code', 'meaning'],
      Object.entries(PLAN_NOTES).map(([name, meaning]) => [code(name), meaning]),
    ),
  ),
};

const exitTable = table(
  ['code', 'meaning'],
  keysOf(EXIT).map((name) => [EXIT[name], EXIT_MEANINGS[name]]),
);

const commandTable = table(
  ['command', 'what it does', 'effect on the account'],
  TREE.commands.map(({ path, summary, effect, otherEffect }) => [
    code(path.join(' ')),
    summary,
    otherEffect?.short ?? EFFECTS[effect],
  ]),
);

/** Replaces the text between the two comments of `title`. */
function replaceSection(text: string, title: string, content: string): string {
  const [before, after] = [`<!-- ${title} -->\n`, `\n<!-- end of ${title} -->`];
  const [from, to] = [text.indexOf(before), text.indexOf(after)];
  if (from < 0 || to < 0) throw new Error(`README.md has no place for the table of ${title}`);
  return text.slice(0, from + before.length) + content + text.slice(to);
}

/** Writes docs/reference/{faults,diagnostics,notes,exit-codes}.md and the tables of commands and exit codes in the README. */
export function generateReference(files: GeneratedFiles): void {
  for (const [path, text] of Object.entries(PAGES)) files.settle(path, text);
  const readme = readFileSync(resolve(ROOT, 'README.md'), 'utf8');
  files.settle('README.md', replaceSection(replaceSection(readme, 'exit codes', exitTable), 'commands', commandTable));
}

// Writes docs/reference/{faults,diagnostics,notes,exit-codes}.md from the tables in src/domain and src/cli, and the README's tables of
// commands and exit codes. With --check it writes nothing and fails when a file is not what it would write. Needs a build.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { EXIT, EXIT_OF_FAULT, TREE } from '../dist/src/cli/index.js';
import { DIAGNOSTIC_CODES, FAULTS, PLAN_NOTES } from '../dist/src/domain/index.js';
import { root, settle } from './generated-file.mjs';

const NOTICE = '<!-- Made by scripts/generate-reference.mjs from src/domain. Do not edit. -->';

const EXIT_MEANINGS = {
  done: 'done; nothing pending',
  error: 'tool or gateway error',
  pending: 'changes or drift pending (`drift`, `plan --detailed-exitcode`)',
  usage: 'invalid usage or manifest',
  refused: 'refused for safety (guard, stale plan, ownership, lock)',
  partial: 'applied in part',
  checksFailed: 'checks failed',
  credentials: 'credentials refused',
  checkBudget: 'check budget reached',
  interrupted: 'interrupted, state reported',
};

const RETRY_MEANINGS = {
  yes: 'may be sent again',
  look: 'may have taken effect: it is looked up first',
  no: 'is not sent again',
};

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

function meaningOf(name) {
  const meaning = EXIT_MEANINGS[name];
  if (!meaning) throw new Error(`exit code ${name} has no meaning in scripts/generate-reference.mjs`);
  return meaning;
}

const faultsOf = (code) =>
  Object.entries(EXIT_OF_FAULT)
    .filter(([, exit]) => exit === code)
    .map(([name]) => `\`${name}\``);

const exitTable = table(
  ['code', 'meaning'],
  Object.entries(EXIT).map(([name, code]) => [code, meaningOf(name)]),
);

const page = (title, ...parts) => `${[`# ${title}`, NOTICE, ...parts].join('\n\n')}\n`;

const PAGES = {
  'docs/reference/exit-codes.md': page(
    'Exit codes',
    'A script may rely on these numbers. `--format json` gives the fault code beside them.',
    table(
      ['code', 'meaning', 'faults'],
      Object.entries(EXIT).map(([name, code]) => [code, meaningOf(name), faultsOf(code).join(', ')]),
    ),
  ),
  'docs/reference/faults.md': page(
    'Faults',
    'A fault is trouble with the world, or with Keyplane itself. Each has a code that does not change, and one exit code. The last column says what becomes of the *request* that failed; a *command* may always be run again.',
    table(
      ['code', 'exit', 'what it means', 'the request'],
      Object.entries(FAULTS).map(([code, fault]) => [
        `\`${code}\``,
        EXIT_OF_FAULT[code],
        fault.doc,
        RETRY_MEANINGS[fault.retry],
      ]),
    ),
  ),
  'docs/reference/diagnostics.md': page(
    'Diagnostics',
    'A diagnostic is about what stands in a manifest. All of them are collected and shown at once, each with its file, line and column. Errors end the command with exit code 3; warnings do not.',
    table(
      ['code', 'what it is about'],
      Object.entries(DIAGNOSTIC_CODES).map(([code, about]) => [`\`${code}\``, about]),
    ),
  ),
  'docs/reference/notes.md': page(
    'Notes of a plan',
    'A note is a fact that is worth a line and is neither a change nor trouble. Notes do not alter the exit code.',
    table(
      ['code', 'what it says'],
      Object.entries(PLAN_NOTES).map(([code, says]) => [`\`${code}\``, says]),
    ),
  ),
};

const EFFECTS = { reads: 'reads', writes: 'writes', destroys: '**destroys**' };

const commandTable = table(
  ['command', 'does', 'the account'],
  TREE.commands.map(({ path, summary, effect }) => [`\`${path.join(' ')}\``, summary, EFFECTS[effect]]),
);

/** The README with what stands between two comments replaced. */
function between(text, title, content) {
  const [before, after] = [`<!-- ${title} -->\n`, `\n<!-- end of ${title} -->`];
  const [from, to] = [text.indexOf(before), text.indexOf(after)];
  if (from < 0 || to < 0) throw new Error(`README.md has no place for the table of ${title}`);
  return text.slice(0, from + before.length) + content + text.slice(to);
}

const readmeWith = (text) => between(between(text, 'exit codes', exitTable), 'commands', commandTable);

for (const [path, text] of Object.entries(PAGES)) settle(path, text);
settle('README.md', readmeWith(readFileSync(resolve(root, 'README.md'), 'utf8')));

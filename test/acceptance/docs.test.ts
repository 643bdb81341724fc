import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommandLine, TREE } from '../../src/cli/index.ts';
import { ROOT, readRoot, readTree } from '../architecture/repository.ts';
import { inlineCommands, type Step, stepsOf, withOutputs } from './docs/page.ts';
import { tryStartService } from './docs/services.ts';
import { type Ended, openWorkplace, RECORDER, type Workplace } from './docs/workplace.ts';
import { skipWithoutTerraform } from './terraform/stack.ts';

/** With UPDATE_DOCS=1 the pages get the output that the program has now; it is read before it is committed. */
const UPDATING = process.env.UPDATE_DOCS === '1';

/** Its examples stand for themselves, without a gateway and files to go with them. */
const COMMAND_REFERENCE = 'docs/cli.md';

const PAGES = ['README.md', ...readTree(['docs'], ['.md']).keys()].filter(
  (path) => !path.startsWith('docs/reference/') && !path.startsWith('docs/decisions/') && path !== COMMAND_REFERENCE,
);

const SINKS = readdirSync(join(ROOT, 'examples/sinks'));

/** Commands for someone who has a clone, or installs packages: they are not about the program. */
const OF_THE_CLONE = /^(npm|npx|git) /;

/** Programs of other packages that are there as if they were installed. */
const INSTALLED = /^npx (?=tsx )/;

/** Replaces the parts that differ from run to run. */
const steady = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\d(T| )\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d/g, 'DAY')
    .replace(/~[qd]?\d{8}-(\d{4}|[0-9a-z]{7})(?![0-9a-z])/g, '~STAMP')
    .replace(/sk-[\w-]{16,}/g, 'SECRET')
    .replace(/\b\w{4}\*{6,}\w{4}\b/g, 'MASKED')
    .replace(/\b\d+(\.\d+)? ?(ms|s|days?|hours?|minutes?|seconds?)\b/g, 'AWHILE');

interface Followed {
  readonly outputs: readonly string[];
  readonly expected: readonly string[];
}

/** The page that has a command first. There the built program runs it, and on every other page this process. */
const FIRST_PAGES = new Map<string, string>();
for (const path of PAGES) {
  const lines = stepsOf(readRoot(path)).flatMap((step) => (step.kind === 'commands' ? step.lines : []));
  for (const line of lines) if (!FIRST_PAGES.has(wordsOf(line))) FIRST_PAGES.set(wordsOf(line), path);
}

interface Page {
  readonly path: string;
  readonly workplace: Workplace;
}

async function runLines({ path, workplace }: Page, step: Extract<Step, { kind: 'commands' }>): Promise<Ended> {
  let last: Ended = { exit: 0, stdout: '', stderr: '' };
  const lines = step.lines.map((line) => line.replace(INSTALLED, '')).filter((line) => !OF_THE_CLONE.test(line));
  for (const [index, line] of lines.entries()) {
    last = await workplace.run(line, FIRST_PAGES.get(wordsOf(line)) !== path);
    const exit = index === lines.length - 1 ? step.exit : 0;
    expect(last.exit, `line ${step.at}: ${line}\n${last.stdout}${last.stderr}`).toBe(exit);
  }
  return last;
}

async function follow(page: Page, steps: readonly Step[]): Promise<Followed> {
  const { workplace } = page;
  const outputs: string[] = [];
  const expected: string[] = [];
  let last = '';
  for (const step of steps) {
    if (step.kind === 'file') await workplace.write(step.name, step.text);
    if (step.kind === 'commands') last = workplace.shown((await runLines(page, step)).stdout);
    if (step.kind === 'output') {
      outputs.push(last);
      expected.push(step.text);
    }
  }
  return { outputs, expected };
}

describe('the documentation', () => {
  it.for(PAGES)('%s can be followed, and shows the output of the program', async (path, context) => {
    const markdown = readRoot(path);
    const curl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0;
    if (markdown.includes('\ncurl ') && !curl) context.skip('it uses curl, which is not installed');
    if (markdown.includes('\nterraform init')) skipWithoutTerraform(context);
    const service = await tryStartService(path);
    const workplace = await openWorkplace(undefined, service?.rewrites);
    try {
      const { outputs, expected } = await follow({ path, workplace }, stepsOf(markdown));
      if (UPDATING) writeFileSync(join(ROOT, path), withOutputs(markdown, outputs));
      else expect(outputs.map(steady)).toEqual(expected.map(steady));
      if (service) expect(service.requests).not.toEqual([]);
    } finally {
      await workplace.close();
      await service?.close();
    }
  });

  it.each(SINKS)('%s has a page, whose manifest is its example', (kind) => {
    const manifest = stepsOf(readRoot(`docs/sinks/${kind}.md`)).find(
      (step) => step.kind === 'file' && step.name === 'keyplane.yaml',
    );
    expect(manifest).toMatchObject({ text: readRoot(`examples/sinks/${kind}/keyplane.yaml`) });
  });

  it('has a page and an example for each kind of sink', () => {
    const pages = [...readTree(['docs/sinks'], ['.md']).keys()].map((path) =>
      path.slice('docs/sinks/'.length, -'.md'.length),
    );
    expect(pages.toSorted()).toEqual(SINKS.toSorted());
  });

  it('gives examples in the command reference that the program understands', async () => {
    const workplace = await openWorkplace(RECORDER);
    try {
      const examples = stepsOf(readRoot(COMMAND_REFERENCE)).flatMap((step) =>
        step.kind === 'commands' ? step.lines : [],
      );
      expect(examples.length).toBeGreaterThan(20);
      for (const line of examples) {
        const { stderr } = await workplace.run(`: && ${line}`);
        // Another program that an example hands something to need not be there.
        expect(stderr.replace(/^bash: line 1: \S+: command not found\n/gm, ''), line).toBe('');
      }
      const commandLines = await workplace.recorded();
      expect(commandLines.length).toBeGreaterThanOrEqual(examples.length);
      for (const words of commandLines) expect(() => parseCommandLine(TREE, words, 80), words.join(' ')).not.toThrow();
    } finally {
      await workplace.close();
    }
  });

  it.each([...PAGES, ...readTree(['src/cli/output/initial'], ['.ts']).keys()])(
    '%s fetches no program by a name that no registry has',
    (path) => {
      expect(readRoot(path)).not.toMatch(
        /\bnpx (?:-\S+ )*?(?<!--no-install )keyplane\b|\bnpm (?:install|i) [^`\n]*(?<= )keyplane(?![\w.-])/,
      );
    },
  );

  it.each(PAGES)('%s mentions only commands that exist', (path) => {
    for (const command of new Set(inlineCommands(readRoot(path)).map(wordsOf))) {
      const help = parseCommandLine(TREE, [...command.split(' ').slice(1), '--help'], 80);
      expect(help.kind === 'text' && help.text).toContain(`Usage: ${command}`);
    }
  });
});

/** The words of a command before its arguments and flags: `keyplane keys list`. */
function wordsOf(command: string): string {
  const [program = '', ...rest] = command.split(' ');
  const end = rest.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith('-'));
  return [program, ...(end < 0 ? rest : rest.slice(0, end))].join(' ');
}

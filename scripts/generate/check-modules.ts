import { CATALOG } from '../../src/checks/catalog.ts';
import { ASSERTIONS, type AssertionName, CHECK_MODULES } from '../../src/domain/index.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { code, table } from './markdown.ts';

const NOTICE = '<!-- Generated from the catalog in src/checks by `npm run generate`. Do not edit. -->';

const INTRO = `What each check module proves when it passes. In addition, every check compares the answer with its request and with the \`expect\` of its definition; see [checks](../checks.md) and [their fields](../manifest.md#checks).`;

const CLASSES = `Modules of class \`free\` cost nothing, those of class \`cheap\` about as much as a chat. Modules of class \`costly\` run only when you select them by name, or with \`--costly\`.`;

const HEAD = ['module', 'class', 'time for one attempt', 'proves', '`expect`'];

const duration = (ms: number): string => (ms % 60_000 === 0 && ms > 60_000 ? `${ms / 60_000} min` : `${ms / 1000} s`);

const rowOf = ({ id, schedule, timeoutMs, assertions, proves }: (typeof CATALOG)[number]): readonly string[] => [
  code(id),
  schedule,
  duration(timeoutMs),
  proves,
  assertions.map(code).join(', ') || 'none',
];

const section = ([kind, modules]: readonly [string, readonly string[]]): string =>
  [
    `## ${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
    table(HEAD, CATALOG.filter(({ id }) => modules.includes(id)).map(rowOf)),
  ].join('\n\n');

const ABOUT_ASSERTIONS = 'The fields of `expect`. A check rejects an assertion that its module cannot evaluate.';

const modulesWith = (name: AssertionName): string =>
  CATALOG.filter(({ assertions }) => assertions.includes(name))
    .map(({ id }) => code(id))
    .join(', ');

const assertionTable = (): string =>
  table(
    ['manifest, constructs', 'Terraform', 'meaning', 'modules'],
    (Object.keys(ASSERTIONS) as AssertionName[]).map((name) => {
      const { terraform, doc } = ASSERTIONS[name];
      return [code(name), code(terraform), doc, modulesWith(name)];
    }),
  );

/** Writes docs/reference/check-modules.md: what each check module proves, and the assertions that it can evaluate. */
export const generateCheckModules = (files: GeneratedFiles): void =>
  files.settle(
    'docs/reference/check-modules.md',
    `${[
      '# Check modules',
      NOTICE,
      INTRO,
      CLASSES,
      ...Object.entries(CHECK_MODULES).map(section),
      '## Assertions',
      ABOUT_ASSERTIONS,
      assertionTable(),
    ].join('\n\n')}\n`,
  );

import type { Command, Effect, Tree } from '../program/command.ts';
import { wordsOf } from '../program/completion/words.ts';
import type { Argument, Option } from '../program/option.ts';

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'Changes nothing on the gateway.',
  writes: 'Changes the account. Asks first on a terminal; elsewhere it needs `--yes`.',
  destroys: 'Ends something for good. Asks first on a terminal; elsewhere it needs `--yes`.',
};

const INTRODUCTION = `Standard output carries only the result; questions, progress, warnings and errors go to standard error.

Settings are looked for in this order: flags, the manifest’s \`gateway\` section, the environment. The system access token
is never passed on the command line.

With \`--format json\` every command prints one envelope, also when it fails:

\`\`\`json
{ "kind": "plan", "version": 1, "data": {}, "diagnostics": [] }
\`\`\`

\`kind\` is the command with dashes (\`keys-list\`; \`usage\` when the command line named none). \`data\` is the result, or null.
\`diagnostics\` are remarks about the manifest, each with \`severity\`, \`code\`, \`message\` and mostly \`place\`. When something
ended the command early there is also \`fault\`, with \`code\`, \`message\`, \`hint\` and \`detail\`. A failure is printed to standard
output even when \`--out\` names a file: that file is then left as it was. Exit codes: [reference/exit-codes.md](reference/exit-codes.md).
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

function usage(name: string, command: Command): string {
  const words = (command.arguments ?? []).map((argument: Argument) => {
    const inner = argument.variadic ? `${argument.name}...` : argument.name;
    return argument.optional ? `[${inner}]` : inner;
  });
  return [name, wordsOf(command), ...words, '[flags]'].join(' ');
}

function flagRow({ flag, short, value, summary, variable, choices }: Option): string {
  const spelling = `${short ? `\`-${short}\`, ` : ''}\`--${flag}${value ? ` ${value}` : ''}\``;
  const values = choices && !summary.includes(choices[0] ?? '') ? `: ${choices.join(', ')}` : '';
  return `| ${spelling} | ${cell(summary + values)} | ${variable ? `\`${variable}\`` : ''} |`;
}

function section(name: string, command: Command): string {
  return [
    `## ${name} ${wordsOf(command)}`,
    '',
    `${command.summary}. ${EFFECTS[command.effect]}`,
    ...(command.details ?? []).flatMap((detail) => ['', detail]),
    '',
    '```',
    usage(name, command),
    '```',
    ...(command.arguments ?? []).flatMap((argument) => ['', `\`${argument.name}\`: ${argument.summary}`]),
    '',
    '| flag | what it does | environment |',
    '|---|---|---|',
    ...command.options.map(flagRow),
    ...command.examples.flatMap(({ line, about }) => ['', about, '', '```sh', line, '```']),
    '',
  ].join('\n');
}

/** The reference of the command line, in Markdown, made from the tree. */
export function renderCliDocs(tree: Tree, variables: Readonly<Record<string, string>>): string {
  const summary = tree.commands.map((command) => {
    const words = wordsOf(command);
    return `| [\`${words}\`](#${tree.name}-${words.replaceAll(' ', '-')}) | ${command.effect} | ${cell(command.summary)} |`;
  });
  return [
    '<!-- Generated from the command tree by `npm run generate`. Do not edit. -->',
    '# The command line',
    '',
    tree.summary,
    '',
    INTRODUCTION,
    '| command | effect on the account | what it does |',
    '|---|---|---|',
    ...summary,
    '',
    ...tree.commands.map((command) => section(tree.name, command)),
    '## Environment',
    '',
    '| variable | what it is for |',
    '|---|---|',
    ...Object.entries(variables).map(([name, what]) => `| \`${name}\` | ${cell(what)} |`),
    '',
  ].join('\n');
}

import type { Command, CommandTree, Effect } from '../program/command.ts';
import { wordsOf } from '../program/completion/words.ts';
import type { Argument, Option } from '../program/option.ts';

const EFFECTS: Readonly<Record<Effect, string>> = {
  reads: 'Does not change the account.',
  writes: 'Changes the account. Asks for confirmation on a terminal; elsewhere requires `--yes`.',
  destroys: 'Irreversible. Asks for confirmation on a terminal; elsewhere requires `--yes`.',
};

const INTRODUCTION = `Standard output carries only the result; questions, progress, warnings and errors go to standard error.

Keyplane looks up each setting in the flags, then in the environment, then in the manifest’s \`gateway\` section. If the environment and
the manifest name different gateways or users, Keyplane refuses with exit code 4 until \`--url\` or \`--user-id\` chooses one.
\`keyplane doctor\` and \`--verbose\` show where each value came from. The system access token has no flag, because other processes
can read command lines.

With \`--format json\` every command prints one JSON object, even when it fails:

\`\`\`json
{ "kind": "plan", "version": 1, "data": {}, "diagnostics": [] }
\`\`\`

\`kind\` is the command, with dashes (\`keys-list\`), or \`command-line\` if that is invalid. \`data\` is the result, or null.
\`diagnostics\` lists the problems in the manifest, each with \`severity\`, \`code\`, \`message\` and usually \`place\`. If the command
failed, \`fault\` gives the \`code\`, \`message\`, \`hint\` and \`detail\`. If the command fails completely, the JSON goes to standard
output and the \`--out\` file is left unchanged. Exit codes: [reference/exit-codes.md](reference/exit-codes.md).
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
    `${command.summary}. ${command.otherEffect?.text ?? EFFECTS[command.effect]}`,
    ...(command.details ?? []).flatMap((detail) => ['', detail]),
    '',
    '```',
    usage(name, command),
    '```',
    ...(command.arguments ?? []).flatMap((argument) => ['', `\`${argument.name}\`: ${argument.summary}`]),
    '',
    '| flag | description | environment variable |',
    '|---|---|---|',
    ...command.options.map(flagRow),
    ...command.examples.flatMap(({ line, about }) => ['', about, '', '```sh', line, '```']),
    '',
  ].join('\n');
}

/** The reference of the command line, in Markdown, made from the tree. */
export function renderCliDocs(tree: CommandTree, variables: Readonly<Record<string, string>>): string {
  const summary = tree.commands.map((command) => {
    const words = wordsOf(command);
    return `| [\`${words}\`](#${tree.name}-${words.replaceAll(' ', '-')}) | ${command.otherEffect?.short ?? command.effect} | ${cell(command.summary)} |`;
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
    '| variable | purpose |',
    '|---|---|',
    ...Object.entries(variables).map(([name, what]) => `| \`${name}\` | ${cell(what)} |`),
    '',
  ].join('\n');
}

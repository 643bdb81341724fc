/** The inputs of the files of a new project. */
export interface ProjectInput {
  /** The address of an existing gateway; absent: the reference gateway, on this machine. */
  readonly url?: string;
  readonly userId?: number;
  /** The one in which it is made. */
  readonly year: number;
  /** `2027-12-31T00:00:00Z`: when its keys end. */
  readonly expires: string;
  readonly cdk: 'cdktf' | 'cdktn';
  /** The version of Keyplane. */
  readonly version: string;
  /** The folder of the package that is running: in `node_modules` of a project, or a clone. */
  readonly packageFolder: string;
}

/** One thing to do next. */
export interface NextStep {
  readonly command: string;
  readonly about?: string;
}

/** A folder that can be planned at once. */
export interface Project {
  /** Texts by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** From the tool that reads it to its first plan. */
  readonly steps: readonly NextStep[];
}

/** The parts of one kind of project. */
interface ProjectKind extends Project {
  readonly title: string;
  /** The steps of this machine alone: whoever clones the project needs none of them. */
  readonly once?: readonly NextStep[];
  /** The steps that come before all others. */
  readonly first?: readonly NextStep[];
  /** Begins the gateway to rehearse on. */
  readonly gateway?: string;
  /** The README’s text after the first plan, Markdown. */
  readonly more?: string;
}

const PORT = 8787;
const USER_ID = 42;
const TOKEN = 'rehearsal-only';

export const accountOf = ({ url, userId }: ProjectInput): { readonly url: string; readonly userId: number } => ({
  url: url ?? `http://127.0.0.1:${PORT}`,
  userId: userId ?? USER_ID,
});

/** An account to rehearse with, on a gateway that is this machine’s own. */
const SEED = `# The account that \`keyplane gateway --seed seed.yaml\` starts with.
accounts:
  - { userId: ${USER_ID}, accessToken: ${TOKEN}, quota: 50000000 }
groups: { default: {}, vip: {} }
models: { alpha-chat-1: {}, text-embedding-3-small: {} }
`;

/** The command that starts the gateway to rehearse on, without the program. */
export const GATEWAY = `gateway --port ${PORT} --seed seed.yaml`;

/** Keyplane as it is run where a project is made. No registry has the package, so `npx` must not fetch one by this name. */
export const commandOf = ({ packageFolder }: ProjectInput): string =>
  packageFolder.includes('/node_modules/') ? 'npx --no-install keyplane' : 'keyplane';

const rehearsal = (gateway: string): readonly NextStep[] => [
  { command: gateway, about: 'in another terminal, in this folder: a gateway to rehearse on' },
  { command: `export KEYPLANE_ACCESS_TOKEN=${TOKEN}` },
];

const forReal = (url: string): readonly NextStep[] => [
  { command: `export KEYPLANE_URL=${url}`, about: 'the gateway that may receive the token' },
  { command: 'export KEYPLANE_ACCESS_TOKEN=…', about: 'from the gateway’s account settings' },
];

export function stepLines(steps: readonly NextStep[]): readonly string[] {
  const width = Math.max(...steps.filter(({ about }) => about).map(({ command }) => command.length));
  return steps.map(({ command, about }) => (about ? `${command.padEnd(width)}  # ${about}` : command));
}

const readme = ({ title, steps, more }: ProjectKind): string =>
  ['# Keys', '', `${title} To its first plan:`, '', '```sh', ...stepLines(steps), '```', more ?? ''].join('\n');

/** Adds what every project has: an account to rehearse with, what is not committed, and how to go on. */
export function completed(kind: ProjectKind, input: ProjectInput): Project {
  const { files, steps, once = [], first = [], gateway = `${commandOf(input)} ${GATEWAY}` } = kind;
  const rehearses = input.url === undefined;
  const all = [...first, ...(rehearses ? rehearsal(gateway) : forReal(accountOf(input).url)), ...steps];
  const seed = rehearses ? { 'seed.yaml': SEED } : {};
  return { files: { ...files, ...seed, 'README.md': readme({ ...kind, steps: all }) }, steps: [...once, ...all] };
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Credential headers of the two accounts. */
export const ANNA = ['Authorization: Bearer token-of-anna', 'New-Api-User: 42'] as const;
export const BERT = ['Authorization: Bearer token-of-bert', 'New-Api-User: 43'] as const;
export const NOBODY = [] as const;

const JSON_BODY = ['Content-Type: application/json'] as const;

export interface CurlOptions {
  /** Credential headers. Defaults to those of Anna. */
  readonly as?: readonly string[];
  /** A value is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  /** The header of the content type. Defaults to that of JSON. */
  readonly type?: readonly string[];
  /** Flags that select the parts of the answer. Defaults to all of it. */
  readonly show?: string;
}

const header = (text: string): string => `-H '${text}'`;

/**
 * Writes one curl command as a person types it.
 *
 * @param target method and path, `GET /api/status`
 */
export function curl(target: string, { as = ANNA, body, type = JSON_BODY, show = '-i' }: CurlOptions = {}): string {
  const [method, path] = target.split(' ');
  const hasBody = body !== undefined;
  const verb = method === (hasBody ? 'POST' : 'GET') ? '' : `-X ${method}`;
  const data = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = [
    `curl ${['-sS', show, verb].filter(Boolean).join(' ')} "$GATEWAY${path}"`,
    as.map(header).join(' '),
    hasBody ? [...type.map(header), `-d '${data}'`].join(' ') : '',
  ];
  return lines.filter((line) => line !== '').join(' \\\n  ');
}

/** Writes a loop that sends one request to each target and prints only the statuses. */
export const statuses = (targets: readonly string[], { as }: { readonly as: readonly string[] }): string =>
  [
    'while read -r method path; do',
    `  curl ${[`-sS -o /dev/null -w "%{http_code} $method $path\\n" -X "$method" "$GATEWAY$path"`, ...as.map(header)].join(' ')}`,
    `done <<END\n${targets.join('\n')}\nEND`,
  ].join('\n');

/** Writes `count` requests, and counts the answers by status. */
export const flood = (target: string, count: number, options?: CurlOptions): string =>
  `${curl(`${target}${target.includes('?') ? '&' : '?'}n=[1-${count}]`, { ...options, show: "-o /dev/null -w '%{http_code}\\n'" })} | sort | uniq -c | tr -s ' '`;

/** Joins commands so that each answer begins on a line of its own. */
export const inTurn = (...commands: readonly string[]): string => commands.join('\necho\n');

/** Writes a request to the control endpoints, which are not part of the contract. */
export const control = (target: string, body?: unknown): string =>
  curl(target.replace(' ', ' /_reference'), { as: NOBODY, body, show: '' });

/** Headers that differ from run to run. */
const VOLATILE = /^(date|connection|keep-alive): .*\n/gim;

/** Runs a command in a shell without the user's own settings of curl, and returns what it prints. */
export async function runShown(command: string, gateway: string): Promise<string> {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', GATEWAY: gateway };
  const { stdout } = await run('sh', ['-c', `curl() { command curl -q "$@"; }\n${command}`], { env });
  return stdout.replaceAll('\r', '').replace(VOLATILE, '').replaceAll(gateway, '$GATEWAY').trimEnd();
}

/** Checks whether a shell and curl are installed. */
export const isCurlInstalled = (): Promise<boolean> =>
  run('sh', ['-c', 'curl --version']).then(
    () => true,
    () => false,
  );

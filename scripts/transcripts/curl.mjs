// Writes curl commands as a person types them, and runs them as they are written.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The two accounts of the pages' gateway. */
export const ANNA = ['Authorization: Bearer token-of-anna', 'New-Api-User: 42'];
export const BERT = ['Authorization: Bearer token-of-bert', 'New-Api-User: 43'];
export const NOBODY = [];

const JSON_BODY = ['Content-Type: application/json'];
const IMPLIED = { true: 'POST', false: 'GET' };

const header = (text) => `-H '${text}'`;

/**
 * One command.
 *
 * @param what method and path, `GET /api/status`
 * @param with.as credential headers; Anna's unless told
 * @param with.body a value, sent as JSON; a string is sent as it is
 * @param with.type the content type's header; that of JSON unless told
 * @param with.show what of the answer is shown: all of it unless told
 */
export function curl(what, { as = ANNA, body, type = JSON_BODY, show = '-i' } = {}) {
  const [method, path] = what.split(' ');
  const hasBody = body !== undefined;
  const verb = method === IMPLIED[hasBody] ? '' : `-X ${method}`;
  const data = typeof body === 'string' ? body : JSON.stringify(body);
  const lines = [
    `curl ${['-sS', show, verb].filter(Boolean).join(' ')} "$GATEWAY${path}"`,
    as.map(header).join(' '),
    hasBody ? [...type.map(header), `-d '${data}'`].join(' ') : '',
  ];
  return lines.filter((line) => line !== '').join(' \\\n  ');
}

/** One request for each of several, of which only the status is shown. */
export const statuses = (whats, { as }) =>
  [
    'while read -r method path; do',
    `  curl ${[`-sS -o /dev/null -w "%{http_code} $method $path\\n" -X "$method" "$GATEWAY$path"`, ...as.map(header)].join(' ')}`,
    `done <<END\n${whats.join('\n')}\nEND`,
  ].join('\n');

/** `count` requests at once, and how often each status came. */
export const flood = (what, count, options) =>
  `${curl(`${what}${what.includes('?') ? '&' : '?'}n=[1-${count}]`, { ...options, show: "-o /dev/null -w '%{http_code}\\n'" })} | sort | uniq -c | tr -s ' '`;

/** Several commands, each answer beginning on a line of its own. */
export const inTurn = (...commands) => commands.join('\necho\n');

/** What a person does at the control endpoints: no part of the contract. */
export const control = (what, body) => curl(what.replace(' ', ' /_reference'), { as: NOBODY, body, show: '' });

/** Headers that say something about this run only. */
const PASSING = /^(date|connection|keep-alive): .*\n/gim;

/** Runs a command in a shell, without what this machine's user has set for curl, and gives what it prints. */
export async function runShown(command, gateway) {
  const env = { PATH: process.env.PATH, LC_ALL: 'C', GATEWAY: gateway };
  const { stdout } = await run('sh', ['-c', `curl() { command curl -q "$@"; }\n${command}`], { env });
  return stdout.replaceAll('\r', '').replace(PASSING, '').replaceAll(gateway, '$GATEWAY').trimEnd();
}

/** Are there a shell and a curl here? */
export const isCurlHere = () =>
  run('sh', ['-c', 'curl --version']).then(
    () => true,
    () => false,
  );

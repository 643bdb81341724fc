import {
  effectiveStatus,
  Fault,
  fitsMask,
  isShortened,
  type KeyMetadata,
  type ObservedKey,
  renderInstant,
  Secret,
  type SinkKind,
  sinkId,
  sinkKind,
  stemOf,
  tryParseGeneration,
} from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { reportFaults } from '../../reconcile/index.ts';
import { EXIT, exitCodeOf, strongestFault } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { withGateway } from '../session/connect.ts';
import { tryReadManifestLeniently } from '../session/manifest-input.ts';
import { changeKeys, refuseProtected } from './keys-write.ts';

const MOST_BYTES = 4096;

/** @throws Fault `usage.invalid` */
function refuseTerminal({ io }: Context): void {
  if (io.stdin.isTTY !== true) return;
  throw new Fault('usage.invalid', 'The secret is read from standard input, and a terminal would show it.', {
    hint: 'Pass it through a pipe or a file: `keyplane keys identify < leaked.txt`.',
  });
}

/** The secret on standard input: one word, without the white space around it. @throws Fault `usage.invalid` */
async function readSecret({ io }: Context): Promise<Secret> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MOST_BYTES) break;
    chunks.push(bytes);
  }
  const word = Buffer.concat(chunks).toString('utf8').trim();
  if (size <= MOST_BYTES && /^[\x21-\x7e]+$/.test(word)) return new Secret(word);
  throw new Fault('usage.invalid', 'Standard input does not contain a secret.', {
    hint: `Pass one API key, with or without sk-, in at most ${MOST_BYTES} bytes.`,
  });
}

/** The most keys whose secrets are revealed to be compared, in one request. */
const MOST_CANDIDATES = 100;

const PAGE = { page: 1, size: MOST_CANDIDATES };

/** Lists the keys that the gateway finds for the secret. Many ignore the parameter, and some refuse it. */
async function searched({ system }: Gateway, secret: Secret): Promise<readonly ObservedKey[]> {
  const found = await system.searchKeys({ token: secret, ...PAGE }).catch(() => undefined);
  return found?.keys ?? [];
}

const fitting = (keys: readonly ObservedKey[], secret: Secret): readonly ObservedKey[] =>
  keys.filter(({ masked }) => fitsMask(secret, masked));

async function tryFindAmong(
  { store }: Gateway,
  keys: readonly ObservedKey[],
  secret: Secret,
): Promise<ObservedKey | undefined> {
  if (keys.length === 0) return undefined;
  const revealed = await store.reveal(keys.map(({ id }) => id));
  return keys.find(({ id }) => revealed.get(id)?.equals(secret));
}

/** Finds the key that has this secret. A search and a mask only suggest keys: the gateway reveals them, to compare. */
async function identify(gateway: Gateway, secret: Secret): Promise<ObservedKey | undefined> {
  const found = await tryFindAmong(gateway, fitting(await searched(gateway, secret), secret), secret);
  if (found) return found;
  const candidates = fitting(await gateway.store.walk(), secret);
  if (candidates.length <= MOST_CANDIDATES) return await tryFindAmong(gateway, candidates, secret);
  throw new Fault('gateway.unexpected-shape', `The masks of ${candidates.length} keys fit the secret.`, {
    hint: 'This gateway masks so much that Keyplane would have to reveal them all. Look for the key in its own interface.',
  });
}

/** The declaration of a live key, as far as people ask for it. */
interface Declared {
  /** The name under which people know the key. */
  readonly name: string;
  readonly metadata?: KeyMetadata;
  readonly sinks: readonly { readonly id: string; readonly kind: SinkKind }[];
}

function declaredFor(key: ObservedKey, manifest: Manifest | undefined): Declared {
  const stem = tryParseGeneration(key.name)?.stem;
  const own = manifest?.desired.keys.find(
    ({ id, name }) => (id ?? key.id) === key.id && (name === key.name || stemOf(name) === stem),
  );
  return {
    name: own?.name ?? (stem === undefined || isShortened(stem) ? key.name : stem),
    ...(own?.metadata && { metadata: own.metadata }),
    sinks: (own?.deliver ?? []).map(({ target }) => ({ id: sinkId(target), kind: sinkKind(target) })),
  };
}

function describe(key: ObservedKey, { name, metadata, sinks }: Declared, context: Context): string {
  const { accessedAt, createdAt, used } = key;
  const isUsed = accessedAt !== undefined && (used !== 0 || accessedAt > (createdAt ?? 0));
  return [
    `${quoted(name)} (id ${key.id})`,
    ...(name === key.name ? [] : [`  generation  ${printable(key.name)}`]),
    `  status      ${effectiveStatus(key, context.now())}`,
    ...(isUsed ? [`  last used   ${renderInstant(accessedAt)}`] : []),
    `  owner       ${printable(metadata?.owner ?? 'not declared')}`,
    `  sinks       ${sinks.length === 0 ? 'none declared' : printable(sinks.map(({ id }) => id).join(', '))}`,
  ].join('\n');
}

/** Disables the key, after confirmation, and returns what went wrong. */
async function disable(context: Context, gateway: Gateway, key: ObservedKey): Promise<Fault | undefined> {
  const about = `${quoted(key.name)} (id ${key.id}) will be disabled. The gateway rejects its secret until it is enabled again.`;
  await confirm(context, { about, expect: 'yes' });
  const report = await changeKeys(gateway.store, 'disable', { keys: [key], context });
  return report && strongestFault(reportFaults(report));
}

const UNKNOWN =
  'No key of this account has this secret. It may belong to another account, or to a key that was deleted.';

/** Finds the key of a secret, which is neither printed nor kept. */
export async function keysIdentifyAction(context: Context): Promise<Result> {
  refuseTerminal(context);
  const { manifest } = await tryReadManifestLeniently(context);
  return await withGateway(context, manifest?.gateway, async (gateway) => {
    await gateway.store.verifyAccount();
    // Not before the gateway and its account are known to be the right ones.
    const key = await identify(gateway, await readSecret(context));
    if (key === undefined) return { exit: EXIT.pending, data: { key: null }, text: UNKNOWN };
    const declared = declaredFor(key, manifest);
    const isDue = has(context.given, 'disable') && key.status !== 'disabled';
    if (isDue) refuseProtected(context, [declared.name], manifest);
    const fault = isDue ? await disable(context, gateway, key) : undefined;
    const now = isDue && fault === undefined ? { ...key, status: 'disabled' as const } : key;
    return {
      exit: exitCodeOf(fault),
      data: plain({
        key: { id: key.id, name: declared.name, liveName: key.name, status: effectiveStatus(now, context.now()) },
        metadata: declared.metadata ?? {},
        sinks: declared.sinks,
        disabled: isDue && fault === undefined,
      }),
      text: describe(now, declared, context),
      ...(fault ? { fault } : {}),
    };
  });
}

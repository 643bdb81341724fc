import { resolve } from 'node:path';
import type { NamedSecret } from '../../delivery/index.ts';
import { writePrivately } from '../../disk/index.ts';
import { type DesiredState, Fault, looksLikeCredential, maskOf, type ObservedKey } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { keyData } from '../output/json/key-data.ts';
import { renderKey, renderKeys } from '../output/keys.ts';
import { counted } from '../output/layout/amount.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { resultText, tableWidth } from '../program/deliver.ts';
import { has, text } from '../program/option.ts';
import { ask, confirm } from '../session/confirm.ts';
import { withGateway } from '../session/connect.ts';
import { declarationsOf } from '../session/declarations.ts';
import { keepExisting } from '../session/files/out-file.ts';
import { secretPlace } from '../session/files/secret-file.ts';
import { findKeys, findMatchingKeys } from '../session/find-key.ts';
import { selectedKeys } from '../session/key-filter.ts';
import { listedKeys } from '../session/listed-keys.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { readSelectedKeys, selectsKeys } from '../session/named-keys.ts';
import { whileReading } from '../session/progress.ts';

async function withStore(
  context: Context,
  work: (store: KeyStore, gateway: Gateway, desired: DesiredState | undefined) => Promise<Result>,
) {
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, (gateway) => work(gateway.store, gateway, manifest?.desired));
}

/**
 * The text that the gateway searches for. It looks into the stored values too, and a secret does not belong into the address
 * of a request.
 *
 * @throws Fault `usage.invalid`
 */
function searchText({ given }: Context): string | undefined {
  const wanted = text(given, 'search');
  if (wanted === undefined || (wanted !== '' && !looksLikeCredential(wanted))) return wanted;
  throw new Fault('usage.invalid', `--search ${wanted === '' ? 'is empty' : 'looks like a credential'}.`, {
    hint: 'Search for the name of a key, or for a part of it.',
  });
}

/** All keys of the account, or those that the gateway finds, or those whose name matches. */
export const keysListAction = (context: Context): Promise<Result> =>
  withStore(context, async (store, gateway, desired) => {
    const wanted = searchText(context);
    const list = () => (wanted === undefined ? store.walk() : gateway.search(wanted));
    const [all, quotaPerUnit] = await whileReading(context, () => Promise.all([list(), store.quotaPerUnit()]));
    const declarations = declarationsOf(desired);
    const keys = listedKeys(context, selectedKeys(context, all, desired), declarations);
    const scale = { quotaPerUnit, now: context.now() };
    return {
      exit: EXIT.done,
      data: {
        keys: keys.map((key) =>
          keyData(key, scale, {
            managed: declarations.of(key) !== undefined,
            owner: declarations.metadataOf(key.name)?.owner ?? null,
          }),
        ),
      },
      text: renderKeys(keys, { ...scale, declarations }, tableWidth(context)),
    };
  });

/** One key with all its settings, without its secret. */
export const keysGetAction = (context: Context): Promise<Result> =>
  withStore(context, async (store) => {
    const [[key], quotaPerUnit] = await Promise.all([findKeys(store, context.arguments), store.quotaPerUnit()]);
    if (!key) throw new Fault('tool.defect', 'A key was looked up, and none came back.');
    const scale = { quotaPerUnit, now: context.now() };
    const look = { paint: context.paint.out, width: context.width.out, mask: maskOf(key) };
    return { exit: EXIT.done, data: keyData(key, scale), text: renderKey(key, scale, look) };
  });

/** A file with secrets is for its owner's eyes only. */
async function toSecretFile(context: Context, result: Result): Promise<Result> {
  const file = text(context.given, 'out');
  if (file === undefined) return result;
  const path = resolve(context.io.cwd, file);
  await writePrivately(path, resultText(context, result, []));
  context.print(`Wrote ${await secretPlace(printable(file), path)}`);
  return { ...result, delivered: true };
}

/** @throws Fault `usage.invalid` when the command line does not go with the format */
function refuseFormat({ format, given }: Context, count: number): void {
  const isNamed = format === 'dotenv' || format === 'kubernetes';
  const why =
    format === 'raw' && count !== 1
      ? `--format raw is one secret without a line break, and ${count} keys were named`
      : text(given, 'as') === undefined
        ? undefined
        : isNamed
          ? count === 1
            ? undefined
            : `--as names one secret, and ${count} keys were named`
          : '--as requires --format dotenv or kubernetes';
  if (why !== undefined) throw new Fault('usage.invalid', `${why}.`, { hint: 'Nothing was revealed.' });
}

/** The texts of the formats, one line for each secret by default. */
async function renderSecrets({ format, given }: Context, secrets: readonly NamedSecret[]): Promise<string> {
  const as = text(given, 'as');
  const named = secrets.map((secret) => ({ ...secret, ...(as === undefined ? {} : { as }) }));
  if (format !== 'dotenv' && format !== 'kubernetes') return secrets.map(({ value }) => value).join('\n');
  // Most runs reveal nothing: the program starts without the room.
  const { renderDotenv, renderKubernetes } = await import('../../delivery/index.ts');
  return format === 'dotenv' ? renderDotenv(named) : renderKubernetes(named);
}

const VISIBLE = 'The secrets will be visible on this terminal, and it may be recorded.';

/** Shows secrets on a terminal only to a person who agrees. @throws Fault `guard.unconfirmed` */
async function refuseTerminal(context: Context): Promise<void> {
  const { io, given } = context;
  if (io.stdout.isTTY !== true || text(given, 'out') !== undefined || has(given, 'show')) return;
  if (await ask(context, { about: VISIBLE, expect: 'show' })) return;
  throw new Fault('guard.unconfirmed', `${VISIBLE} Nobody agreed to that.`, {
    hint: 'Nothing was revealed. Use a pipe or --out, or pass --show.',
  });
}

const revealText = (keys: readonly ObservedKey[]): string =>
  `The secrets of ${counted(keys.length, 'key')} will be revealed: ${keys.map(({ name, id }) => `${quoted(name)} (id ${id})`).join(', ')}.`;

/** The only command that prints secrets. They leave as lines of their own, so that a pipe can take them. */
export async function keysRevealAction(context: Context): Promise<Result> {
  await keepExisting(context);
  const selects = selectsKeys(context);
  return await withStore(context, async (store, _gateway, desired) => {
    const declared = (desired?.keys ?? []).map(({ name }) => name);
    const { of } = declarationsOf(desired);
    const mayMatch = has(context.given, 'yes');
    const keys = selects
      ? await readSelectedKeys(context, store, { desired })
      : await findMatchingKeys(store, context.arguments, { declared, mayMatch });
    refuseFormat(context, keys.length);
    if (selects) await confirm(context, { about: revealText(keys), expect: 'yes' });
    await refuseTerminal(context);
    const secrets = await store.reveal(keys.map((key) => key.id));
    const revealed = keys.map(({ id, name }) => {
      const secret = secrets.get(id);
      if (!secret)
        throw new Fault(
          'gateway.not-found',
          `The gateway returned no secret for key ${id}; the key may have been deleted.`,
        );
      return { id, name, secret: secret.reveal() };
    });
    const named = revealed.map(({ id, name, secret }) => ({ name: of({ id, name })?.name ?? name, value: secret }));
    const result = {
      exit: EXIT.done,
      data: plain({ keys: revealed }),
      text: await renderSecrets(context, named),
    };
    return await toSecretFile(context, result);
  });
}

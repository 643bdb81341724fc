import { resolve } from 'node:path';
import { asFault, FAULTS, Fault } from '../../domain/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { text } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { withGateway } from '../session/connect.ts';
import { reserveSecretFile, secretPlace } from '../session/files/secret-file.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';

function outOf(context: Context): string {
  const file = text(context.given, 'out');
  if (file !== undefined) return file;
  throw new Fault('usage.invalid', '--out is required: Keyplane writes the new access token to a file.', {
    hint: 'Pass --out FILE. The old token stops working immediately, so the new one must not be lost.',
  });
}

const DOUBT =
  'Run `keyplane account show`. If the gateway rejects the old token, create a new one in the gateway’s account settings.';

/** May the gateway have rotated the token, although it did not answer with a new one? Some report an error after the commit. */
async function mayBeRotated({ code }: Fault, isStillValid: () => Promise<unknown>): Promise<boolean> {
  if (FAULTS[code].retry === 'look') return true;
  // A limit rejects the request before anything happens.
  if (code === 'gateway.rate-limited') return false;
  return await isStillValid().then(
    () => false,
    () => true,
  );
}

/** A lost answer leaves both tokens in doubt: then only the gateway's own pages can help. */
const inDoubt = (fault: Fault): Fault =>
  new Fault(fault.code, `${fault.message}\nIt is unknown whether the token was rotated.`, {
    hint: DOUBT,
    detail: fault.detail,
    cause: fault,
  });

/**
 * Rotates the system access token: the one caller of that endpoint. The file for the new token is made, and its space
 * taken, before the request is sent; the request is sent once.
 */
export async function rotateTokenAction(context: Context): Promise<Result> {
  const file = outOf(context);
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ system, store }) => {
    await store.verifyAccount();
    const { url, userId } = store.account;
    const about = `The access token of user ${userId} of ${printable(url)} will stop working everywhere. The new one will be written to ${file}.`;
    await confirm(context, { about, expect: 'yes' });
    const path = resolve(context.io.cwd, file);
    const reserved = await reserveSecretFile(path, context.io.random);
    const work = async (): Promise<Result> => {
      const token = await system.rotateToken().catch(async (thrown) => {
        await reserved.discard();
        const fault = asFault(thrown);
        throw (await mayBeRotated(fault, system.owner)) ? inDoubt(fault) : fault;
      });
      await reserved.keep(token);
      context.print(`The access token was rotated; the new one is in ${await secretPlace(file, path)}`);
      return { exit: EXIT.done, data: plain({ file: path }), text: '' };
    };
    return await context.interruption.finishing(work, {
      announce: () => context.print('The token is being rotated; this takes only a moment.'),
      open: () => ({ left: ['rotate the system access token'], hint: DOUBT }),
    });
  });
}

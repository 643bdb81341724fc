import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { accountHash, isRunning, processStart, stateFolder, unwritable } from '../../disk/index.ts';
import { type AccountRef, Fault, renderInstant } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { GatewaySection } from '../../manifest/index.ts';
import type { Context } from '../program/command.ts';
import { withGateway } from './connect.ts';
import type { Io } from './io.ts';
import { nowOf } from './io.ts';

/** The content of a claim: enough to determine whether its process still runs. */
interface Claim {
  readonly pid: number;
  readonly host: string;
  /** The start of that process, where the system reports it: process ids are reused. */
  readonly started: string | null;
  readonly at: number;
}

async function readClaim(path: string): Promise<Claim | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Claim;
  } catch {
    return undefined;
  }
}

/** A claim appears whole or not at all. */
async function writeClaim(path: string, claim: Claim): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(claim), { flag: 'wx', mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (thrown) {
    throw unwritable(path, thrown);
  }
}

async function isAlive(claim: Claim | undefined): Promise<boolean> {
  // A claim that cannot be read, or is from another machine, counts as alive.
  if (!claim || claim.host !== hostname()) return true;
  return isRunning(claim.pid) && (await processStart(claim.pid)) === claim.started;
}

/**
 * Takes the account for this process, on this machine. Every process makes its own claim, a file that nobody else ever
 * makes, and reads the others afterwards: two simultaneous runs see each other, and at most one continues. Claims of
 * processes that are gone are removed.
 *
 * @returns a function that gives the account free.
 * @throws Fault `apply.locked`, `file.unwritable`
 */
export async function lockAccount(io: Io, account: AccountRef): Promise<() => Promise<void>> {
  const hash = accountHash(account);
  const folder = await stateFolder(io.env, 'locks').catch((cause) => {
    throw unwritable('the folder for locks', cause);
  });
  const nonce = Math.floor(io.random() * 0xffffffff).toString(16);
  const own = `${hash}.${io.pid}-${nonce}.lock`;
  const claim: Claim = { pid: io.pid, host: hostname(), started: await processStart(io.pid), at: nowOf(io) };
  const release = (): Promise<void> => rm(join(folder, own), { force: true });
  await writeClaim(join(folder, own), claim);
  for (const file of await readdir(folder)) {
    if (file === own || !file.startsWith(`${hash}.`) || !file.endsWith('.lock')) continue;
    const path = join(folder, file);
    const other = await readClaim(path);
    if (await isAlive(other)) {
      await release();
      throw locked(account, path, other);
    }
    await rm(path, { force: true });
  }
  return release;
}

/**
 * Does work with the gateway while no other run of this machine writes to its account.
 *
 * @throws Fault `apply.locked`, `file.unwritable`
 */
export const withLockedAccount = <T>(
  context: Context,
  section: GatewaySection | undefined,
  work: (gateway: Gateway) => Promise<T>,
): Promise<T> =>
  withGateway(context, section, async (gateway) => {
    await gateway.store.verifyAccount();
    const release = await lockAccount(context.io, gateway.store.account);
    try {
      return await work(gateway);
    } finally {
      await release();
    }
  });

function locked({ url, userId }: AccountRef, path: string, claim: Claim | undefined): Fault {
  const who = claim ? ` (process ${claim.pid} on ${claim.host}, since ${renderInstant(claim.at)})` : '';
  return new Fault('apply.locked', `Another Keyplane process is changing the keys of user ${userId} of ${url}${who}.`, {
    hint: `Wait until it finishes. If that process no longer exists, delete ${path}.`,
    detail: { lock: path, ...(claim ? { pid: claim.pid } : {}) },
  });
}

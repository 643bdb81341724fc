import { asFault, Secret } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { doctorData, renderDoctorResults } from '../output/doctor.ts';
import { exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import type { Context, Result } from '../program/command.ts';
import { open } from '../session/connect.ts';
import { confirmOrigin } from '../session/origin.ts';
import { connectionSettings, findUrl, type Sources } from '../session/settings.ts';
import { examineAddress } from './doctor/address.ts';
import { examineToken, examineUserId } from './doctor/credentials.ts';
import { examineAccount, examineClock, examineConnection, examineGroups, examineKeys } from './doctor/gateway.ts';
import { examineManifest } from './doctor/manifest.ts';
import { type DoctorResult, failed, skipped } from './doctor/result.ts';

interface Credentials {
  readonly userId?: number;
  readonly token?: Secret;
}

interface DoctorContext {
  readonly context: Context;
  readonly sources: Sources;
  readonly url: string;
  readonly manifest: Manifest | undefined;
}

/** Asks the gateway without credentials first, so that a wrong address is not reported as a wrong token. */
async function examineGateway(doctor: DoctorContext, credentials: Credentials): Promise<readonly DoctorResult[]> {
  const { context, sources, url } = doctor;
  const { userId = 1, token = new Secret('none') } = credentials;
  let date: string | undefined;
  const settings = { url, userId, accessToken: token, ...(await connectionSettings(sources)) };
  const gateway = await open(context, settings, (event) => {
    if (event.kind === 'answer') date ??= event.date;
  });
  try {
    const { result, quotaPerUnit } = await examineConnection(gateway.system);
    if (!quotaPerUnit) return [result];
    const clock = examineClock(date, context.io.clock());
    return [result, clock, ...(await examineAsUser({ ...doctor, gateway, quotaPerUnit }, credentials))];
  } finally {
    await gateway.close();
  }
}

type Connected = DoctorContext & {
  readonly gateway: Gateway;
  readonly quotaPerUnit: NonNullable<Awaited<ReturnType<typeof examineConnection>>['quotaPerUnit']>;
};

async function examineAsUser(doctor: Connected, { userId, token }: Credentials): Promise<readonly DoctorResult[]> {
  const { gateway, quotaPerUnit, manifest } = doctor;
  if (userId === undefined || !token)
    return [skipped('credentials', 'not tested, because the token or the user ID is missing')];
  const account = await examineAccount(gateway.system, { userId, quotaPerUnit });
  if (account.some(({ state }) => state === 'failed')) return account;
  return [...account, await examineKeys(gateway), await examineGroups(gateway.system, manifest)];
}

/** The address that is chosen; none when the sources of it conflict, or it may not receive credentials. */
async function examineChosenAddress(
  context: Context,
  sources: Sources,
  manifest: DoctorResult,
): Promise<{ address: DoctorResult; url?: string }> {
  try {
    const chosen = findUrl(sources);
    const address = examineAddress(chosen, manifest);
    if (chosen !== undefined && address.state !== 'failed') await confirmOrigin(context, chosen);
    return chosen === undefined ? { address } : { address, url: chosen.value };
  } catch (thrown) {
    return { address: failed('address', asFault(thrown)) };
  }
}

async function examineAll(context: Context): Promise<readonly DoctorResult[]> {
  const { given, io } = context;
  const { result: manifestResult, manifest } = await examineManifest(context);
  const sources: Sources = { given, env: io.env, cwd: io.cwd, manifest: manifest?.gateway };
  const { url, address } = await examineChosenAddress(context, sources, manifestResult);
  const { result: tokenResult, token } = await examineToken(sources, manifestResult);
  const { result: userResult, userId } = examineUserId(sources, manifestResult);
  const results = [manifestResult, address, tokenResult, userResult];
  if (url === undefined || address.state === 'failed') return results;
  const credentials = { ...(userId === undefined ? {} : { userId }), ...(token ? { token } : {}) };
  try {
    return [...results, ...(await examineGateway({ context, sources, url, manifest }, credentials))];
  } catch (thrown) {
    // A setting of the connection is invalid; what was examined before is reported all the same.
    if (context.interruption.signal.aborted) throw thrown;
    return [...results, failed('connection', asFault(thrown))];
  }
}

/** Reports the problems between this machine and the account, in the order in which to fix them. */
export async function doctorAction(context: Context): Promise<Result> {
  const results = await examineAll(context);
  const exits = results.flatMap((result) => (result.state === 'failed' ? [exitCodeOf(result.fault)] : []));
  return {
    exit: strongestExit(exits),
    data: plain({ healthy: exits.length === 0, findings: doctorData(results) }),
    text: renderDoctorResults(results, context.paint.out, context.width.out),
  };
}

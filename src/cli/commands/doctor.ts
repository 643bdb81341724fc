import { Secret } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { EXIT, type ExitCode, strongestExit } from '../output/exit-codes.ts';
import { renderFindings } from '../output/findings.ts';
import { plain } from '../output/json/envelope.ts';
import type { Context, Result } from '../program/command.ts';
import { open } from '../session/connect.ts';
import { connectionSettings, findUrl, type Sources } from '../session/settings.ts';
import { examineAddress } from './doctor/address.ts';
import { examineToken, examineUserId } from './doctor/credentials.ts';
import { type DoctorResult, skipped } from './doctor/finding.ts';
import { examineAccount, examineClock, examineConnection, examineGroups } from './doctor/gateway.ts';
import { examineManifest } from './doctor/manifest.ts';

interface Credentials {
  readonly userId?: number;
  readonly token?: Secret;
}

interface Patient {
  readonly context: Context;
  readonly sources: Sources;
  readonly url: string;
  readonly manifest: Manifest | undefined;
}

/** Asks the gateway without credentials first, so that a wrong address is not reported as a wrong token. */
async function examineGateway(patient: Patient, credentials: Credentials): Promise<readonly DoctorResult[]> {
  const { context, sources, url } = patient;
  const { userId = 1, token = new Secret('none') } = credentials;
  let date: string | undefined;
  const settings = { url, userId, accessToken: token, ...(await connectionSettings(sources)) };
  const gateway = await open(context, settings, (event) => {
    if (event.kind === 'answer') date ??= event.date;
  });
  try {
    const { finding, quotaPerUnit } = await examineConnection(gateway.system);
    if (!quotaPerUnit) return [finding];
    const clock = examineClock(date, context.io.clock());
    return [finding, clock, ...(await examineAsUser({ ...patient, gateway, quotaPerUnit }, credentials))];
  } finally {
    await gateway.close();
  }
}

type Connected = Patient & {
  readonly gateway: Gateway;
  readonly quotaPerUnit: NonNullable<Awaited<ReturnType<typeof examineConnection>>['quotaPerUnit']>;
};

async function examineAsUser(patient: Connected, { userId, token }: Credentials): Promise<readonly DoctorResult[]> {
  const { gateway, quotaPerUnit, manifest } = patient;
  if (userId === undefined || !token)
    return [skipped('credentials', 'not tested, because the token or the user ID is missing')];
  const account = await examineAccount(gateway.system, { userId, quotaPerUnit });
  if (account.some(({ state }) => state === 'failed')) return account;
  return [...account, await examineGroups(gateway.system, manifest)];
}

async function examineAll(context: Context): Promise<readonly DoctorResult[]> {
  const { given, io } = context;
  const { finding: manifestFinding, manifest } = await examineManifest(context);
  const sources: Sources = { given, env: io.env, cwd: io.cwd, manifest: manifest?.gateway };
  const url = findUrl(sources);
  const address = examineAddress(url, manifestFinding);
  const { finding: tokenFinding, token } = await examineToken(sources, manifestFinding);
  const { finding: userFinding, userId } = examineUserId(sources, manifestFinding);
  const findings = [manifestFinding, address, tokenFinding, userFinding];
  if (url === undefined || address.state === 'failed') return findings;
  const credentials = { ...(userId === undefined ? {} : { userId }), ...(token ? { token } : {}) };
  return [...findings, ...(await examineGateway({ context, sources, url, manifest }, credentials))];
}

/** A finding as JSON. */
const findingData = ({ check, state, message, hint, exit }: DoctorResult) => ({
  check,
  state,
  says: message,
  hint,
  exit,
});

/** Reports the problems between this machine and the account, in the order in which to fix them. */
export async function doctorAction(context: Context): Promise<Result> {
  const findings = await examineAll(context);
  const exits = findings.flatMap(({ state, exit }): ExitCode[] => (state === 'failed' ? [exit ?? EXIT.error] : []));
  return {
    exit: strongestExit(exits),
    data: plain({ healthy: exits.length === 0, findings: findings.map(findingData) }),
    text: renderFindings(findings, context.paint.out, context.width.out),
  };
}

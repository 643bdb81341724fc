import { asFault, Fault, type Secret } from '../../../domain/index.ts';
import { printable } from '../../output/layout/printable.ts';
import { findTokenSource, findUserId, isReadableByOthers, readToken, type Sources } from '../../session/settings.ts';
import { type DoctorResult, failed, ok, skipped, UNREAD, warning } from './result.ts';

/** The token, if there is one, and how well its file is kept. */
export async function examineToken(
  sources: Sources,
  manifest: DoctorResult,
): Promise<{ result: DoctorResult; token?: Secret }> {
  const source = findTokenSource(sources);
  if (source.kind === 'none' && manifest.state === 'failed') return { result: skipped('token', UNREAD) };
  try {
    const token = await readToken(source);
    if (source.kind !== 'file') return { result: ok('token', 'from KEYPLANE_ACCESS_TOKEN'), token };
    const from = `from ${printable(source.path)} (${source.from})`;
    const result = (await isReadableByOthers(source.path))
      ? warning(
          'token',
          `${from}, which other users of this machine can read.`,
          `Run \`chmod 600 ${printable(source.path)}\`.`,
        )
      : ok('token', from);
    return { result, token };
  } catch (thrown) {
    return { result: failed('token', asFault(thrown)) };
  }
}

export function examineUserId(sources: Sources, manifest: DoctorResult): { result: DoctorResult; userId?: number } {
  try {
    const chosen = findUserId(sources);
    if (chosen !== undefined) {
      return { result: ok('user id', `${chosen.value}, from ${chosen.from}`), userId: chosen.value };
    }
    if (manifest.state === 'failed') return { result: skipped('user id', UNREAD) };
    const hint = 'Pass --user-id, set gateway.userId in the manifest, or set KEYPLANE_USER_ID.';
    return { result: failed('user id', new Fault('credentials.missing', 'No user ID was given.', { hint })) };
  } catch (thrown) {
    return { result: failed('user id', asFault(thrown)) };
  }
}

import { type Diagnostic, type Fault, type Json, maskCredentials } from '../../../domain/index.ts';
import type { Result } from '../../program/command.ts';
import { hintOf, withWordedHint } from '../remedies.ts';

/**
 * The output of `--format json`, for every command and also when it failed.
 *
 * `kind` is the command with dashes (`plan`, `keys-list`; `command-line` when that named none). `data` is the
 * result, null when there is none. `fault` is present exactly when something ended the command early.
 */
export interface OutputEnvelope {
  readonly kind: string;
  readonly version: 1;
  readonly data: Json;
  readonly diagnostics: readonly Json[];
  readonly fault?: Json;
}

/** Plain data: what JSON cannot represent is omitted, and a secret prints as its mask. */
export const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null, withBigInts)) as Json;

const withBigInts = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

/** The same, without anything that looks like a credential: settings of live keys may hold one. */
export const masked = (value: unknown): Json =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, member: unknown) => {
      const shown = withBigInts('', member);
      return typeof shown === 'string' ? maskCredentials(shown) : shown;
    }),
  );

export const faultData = (fault: Fault): Json =>
  masked({ code: fault.code, message: fault.message, hint: hintOf(fault), detail: fault.detail });

export function envelopeOf(
  kind: string,
  result: Pick<Result, 'data' | 'fault'>,
  diagnostics: readonly Diagnostic[],
): OutputEnvelope {
  return {
    kind,
    version: 1,
    data: result.data,
    diagnostics: diagnostics.map((diagnostic) => plain(withWordedHint(diagnostic))),
    ...(result.fault ? { fault: faultData(result.fault) } : {}),
  };
}

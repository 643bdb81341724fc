import { createHash } from 'node:crypto';
import { type Diagnostic, maskCredentials } from '../../domain/index.ts';
import { printable } from './layout/printable.ts';
import { hintOf } from './remedies.ts';
import { physicalLocation, sarifLog } from './sarif.ts';

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const;

/** Stays the same when the manifest moves, so that an alert is not opened twice. */
const fingerprintOf = ({ code, path, message }: Diagnostic): string =>
  createHash('sha256')
    .update(JSON.stringify([code, path ?? null, message]))
    .digest('hex');

function resultOf(diagnostic: Diagnostic) {
  const { code, severity, message, found, expected, place, related = [] } = diagnostic;
  const remarks = { found, expected, hint: hintOf(diagnostic) };
  const lines = Object.entries(remarks).flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]));
  return {
    ruleId: code,
    level: LEVELS[severity],
    message: { text: [message, ...lines].map((line) => maskCredentials(printable(line))).join('\n') },
    locations: place ? [physicalLocation(place)] : [],
    ...(related.length === 0
      ? {}
      : {
          relatedLocations: related.map((other) => ({
            ...physicalLocation(other.place),
            message: { text: maskCredentials(printable(other.message)) },
          })),
        }),
    partialFingerprints: { 'keyplaneManifest/v1': fingerprintOf(diagnostic) },
  };
}

/** The diagnostics of a manifest as SARIF 2.1.0, for code scanning. */
export function renderDiagnosticsSarif(diagnostics: readonly Diagnostic[], version: string): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return sarifLog(
    version,
    codes.map((id) => ({ id })),
    diagnostics.map(resultOf),
  );
}

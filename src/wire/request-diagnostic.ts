import type { Diagnostic, DiagnosticPath } from '../domain/index.ts';

/** A limit that a request breaks, as a rule of its family states it. The message is a sentence without its subject, the field. */
export interface BrokenLimit {
  /** The field in the notation of the contract: `parameters.size`, `messages[0].role`; empty: the body itself. */
  readonly path: string;
  readonly message: string;
}

/** Something that the contract forbids in a request. The message is a sentence without its subject, the field. */
export interface RequestDiagnostic extends Diagnostic {
  readonly code: 'request.invalid';
  readonly path: DiagnosticPath;
}

/** Creates the diagnostic of one field; of the body itself when the path is empty. */
export const requestError = (path: DiagnosticPath, message: string): RequestDiagnostic => ({
  severity: 'error',
  code: 'request.invalid',
  path,
  message,
});

/** Converts a broken limit to a diagnostic. A limit on all items of a list keeps their mark: `content[]`. */
export function diagnosticOfLimit({ path, message }: BrokenLimit): RequestDiagnostic {
  const steps = [...path.matchAll(/[^.[\]]+(?:\[\])?/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
  return requestError(steps, message);
}

/** Renders a path in the notation of the contract: `messages[0].role`. */
export const renderPath = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`)).join('');

/** Renders a diagnostic as a complete sentence without its end: `messages[0].role: is missing`. */
export const renderRequestDiagnostic = ({ path, message }: RequestDiagnostic): string =>
  `${path.length === 0 ? 'the body' : renderPath(path)}: ${message}`;

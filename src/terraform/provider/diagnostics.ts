import { Fault } from '../../domain/index.ts';
import { type PathStep, ValueError } from '../codec/value-error.ts';
import { hintOf } from './remedies.ts';

/** An error or a warning as Terraform shows it, at the attribute that it is about. */
export interface ProtocolDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
  readonly path?: readonly PathStep[];
  /** The path leads into a block, where core shows the line of an attribute. */
  readonly isInBlock?: true;
}

/** A diagnostic whose severity depends on where it is reported. */
export type DiagnosticContent = Omit<ProtocolDiagnostic, 'severity'>;

/** Ends a call with these errors. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly ProtocolDiagnostic[];

  constructor(...errors: readonly DiagnosticContent[]) {
    super(errors.map(({ summary }) => summary).join('; '));
    this.diagnostics = errors.map((error) => ({ severity: 'error', ...error }));
  }
}

const detailOf = (fault: Fault): string => {
  const hint = hintOf(fault);
  return [...(hint === undefined ? [] : [hint]), `Code: ${fault.code}`].join('\n\n');
};

/** The diagnostics for whatever a call threw. */
export function diagnosticsOf(thrown: unknown): readonly ProtocolDiagnostic[] {
  if (thrown instanceof DiagnosticError) return thrown.diagnostics;
  if (thrown instanceof Fault) return [{ severity: 'error', summary: thrown.message, detail: detailOf(thrown) }];
  const path = thrown instanceof ValueError ? thrown.path : [];
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return [{ severity: 'error', summary: 'This is a bug in the provider', detail: message, path }];
}

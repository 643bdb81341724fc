import { Fault } from '../domain/index.ts';
import { type RequestDiagnostic, renderPath, renderRequestDiagnostic } from './request-diagnostic.ts';

/** A request that must not be sent, with everything that is wrong with it. Its detail has `issues`, with rendered paths. */
export function invalidRequestFault(title: string, diagnostics: readonly RequestDiagnostic[]): Fault {
  const lines = diagnostics.map(renderRequestDiagnostic);
  const list = lines.length === 1 ? ` ${lines[0]}.` : `\n${lines.map((line) => `  ${line}`).join('\n')}`;
  return new Fault('request.invalid', `${title}: the request breaks limits of the contract:${list}`, {
    hint: 'Nothing was sent or charged. The limits are in docs/reference/limits.md.',
    detail: { issues: diagnostics.map(({ path, message }) => ({ path: renderPath(path), message })) },
  });
}

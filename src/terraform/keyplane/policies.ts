import { resolve } from 'node:path';
import type { Guardrails, UnixSeconds } from '../../domain/index.ts';
import { DiagnosticError } from '../provider/diagnostics.ts';
import type { PluginEnvironment } from '../serve/handshake.ts';

/** The variable that names the files. A configuration cannot: whoever writes it is who the policy is for. */
const POLICY_VARIABLE = 'KEYPLANE_POLICY';

/** The policies of the environment. The room is loaded on use: most runs have none. @throws DiagnosticError */
export async function readPolicyFiles(env: PluginEnvironment, now: UnixSeconds): Promise<readonly Guardrails[]> {
  const paths = (env[POLICY_VARIABLE] ?? '').split(',').flatMap((path) => path.trim() || []);
  if (paths.length === 0) return [];
  const { readPolicies } = await import('../../manifest/index.ts');
  const { policies, diagnostics } = await readPolicies(paths, { cwd: resolve(), now });
  if (policies) return policies;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  throw new DiagnosticError(
    ...errors.map(({ message, place, expected, hint = '' }) => ({
      summary: `${POLICY_VARIABLE}: ${message}`,
      detail: `${place ? `${place.file}:${place.line}:${place.column}: ` : ''}Expected ${expected}. ${hint}`.trim(),
    })),
  );
}

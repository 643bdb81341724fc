import {
  ASSERTIONS,
  type CheckDiagnostic,
  type CheckSpec,
  type DiagnosticPath,
  renderCheckMessage,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { CheckPart } from '../../tfjson/index.ts';
import { describeNode, tryFindNode, type YamlNode } from '../yaml/node.ts';
import type { DefinedCheck } from './check-spec.ts';

/** Validates a check against its module and the contract, without sending anything. */
export type ValidateCheck = (spec: CheckSpec, declared: readonly string[]) => Promise<readonly CheckDiagnostic[]>;

/** The path in the manifest: fields of a request are fields of the check there, so `request.size` is `size`. */
const manifestPath = ([first, ...rest]: DiagnosticPath): DiagnosticPath =>
  first === undefined || first === 'request' ? rest : [first, ...rest];

/** Returns the node at a path, or at the longest part of it that exists. */
function nearestNode(node: YamlNode, path: DiagnosticPath): YamlNode {
  for (let length = path.length; length > 0; length -= 1) {
    const at = tryFindNode(node, path.slice(0, length));
    if (at) return at;
  }
  return node;
}

const renderPath = (path: DiagnosticPath): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

/** The message without values from the environment or a file. */
const withoutHidden = (message: string, { hidden = [] }: CheckSpec): string =>
  hidden.filter((value) => value !== '').reduce((text, value) => text.replaceAll(value, '‹hidden›'), message);

/** Locates a part of a check in the manifest. */
function locateIn({ spec, node }: DefinedCheck, path: DiagnosticPath): CheckPart {
  const inManifest = manifestPath(path);
  const at = nearestNode(node, inManifest);
  const attribute = inManifest.length === 0 ? `checks.${spec.name}` : renderPath(inManifest);
  return { place: at.place, found: describeNode(at), attribute };
}

function reportError(check: DefinedCheck, error: CheckDiagnostic, report: Report): void {
  const { spec, locate } = check;
  const { place, attribute, found: value } = locate ? locate(error.path) : locateIn(check, error.path);
  const message = renderCheckMessage(error, locate && ((name) => ASSERTIONS[name].terraform));
  report.problem({
    code: 'manifest.invalid-check',
    at: place,
    message: `The check is invalid: \`${attribute}\` ${withoutHidden(message, spec)}.`,
    found: value,
    expected: `a request that ${spec.module} supports`,
    hint: 'See docs/reference/limits.md for the gateway’s limits. Nothing was sent, and nothing was charged.',
  });
}

/** Validates every check and reports each error at its field. `declared`: the models that keys may use. */
export async function validateChecks(
  checks: readonly DefinedCheck[],
  { validateCheck, declared }: { validateCheck: ValidateCheck; declared: readonly string[] },
  report: Report,
): Promise<void> {
  for (const check of checks) {
    for (const error of await validateCheck(check.spec, declared)) reportError(check, error, report);
  }
}

import type { CheckIssue, CheckSpec } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { found, type Tree, tryFindNode } from '../yaml/tree.ts';
import type { DefinedCheck } from './check-spec.ts';

/** Holds a check against what its module and the contract allow; nothing is sent for it. */
export type JudgeCheck = (spec: CheckSpec, declared: readonly string[]) => Promise<readonly CheckIssue[]>;

/** Fields of a request stand beside our own: `request.size` is written as `size`. */
const writtenPath = ([first, ...rest]: CheckIssue['path']): CheckIssue['path'] =>
  first === undefined || first === 'request' ? rest : [first, ...rest];

/** What a path leads to, or the last part of it that is there. */
function nearestNode(node: Tree, path: CheckIssue['path']): Tree {
  for (let length = path.length; length > 0; length -= 1) {
    const at = tryFindNode(node, path.slice(0, length));
    if (at) return at;
  }
  return node;
}

const renderPath = (path: CheckIssue['path']): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');

/** What came from the environment or a file is shown in no message, whoever wrote it. */
const withoutHidden = (message: string, { hidden = [] }: CheckSpec): string =>
  hidden.filter((value) => value !== '').reduce((text, value) => text.replaceAll(value, '‹hidden›'), message);

function reportIssue({ spec, node }: DefinedCheck, { path, message }: CheckIssue, report: Report): void {
  const written = writtenPath(path);
  const at = nearestNode(node, written);
  const field = written.length === 0 ? `checks.${spec.name}` : renderPath(written);
  report.problem({
    code: 'manifest.invalid-check',
    at: at.place,
    message: `The check can not be sent so: \`${field}\` ${withoutHidden(message, spec)}.`,
    found: found(at),
    expected: `what ${spec.module} takes`,
    hint: 'The gateway’s limits are in docs/reference/limits.md. Nothing was sent, and nothing was paid.',
  });
}

/** Judges every check, and reports what is wrong at the field that is. `declared`: the models that keys are allowed. */
export async function judgeChecks(
  checks: readonly DefinedCheck[],
  { judge, declared }: { judge: JudgeCheck; declared: readonly string[] },
  report: Report,
): Promise<void> {
  for (const check of checks) {
    for (const issue of await judge(check.spec, declared)) reportIssue(check, issue, report);
  }
}

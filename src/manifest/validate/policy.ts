import { type Guardrails, type Place, parseGuardrails } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { POLICY_FORMS } from '../schema/policy.ts';
import { describeNode, exactData, hasReferences, tryFindNode, type YamlNode } from '../yaml/node.ts';
import { asMap, readFields } from './fields.ts';

/** Reports the rules that have no meaning, each at its place. */
function parse(node: YamlNode, report: Report): Guardrails | undefined {
  const data = exactData(node);
  const { value, diagnostics } = parseGuardrails(typeof data === 'object' && data !== null ? data : {});
  for (const { code, severity, path = [], message, expected, hint } of diagnostics) {
    const at = tryFindNode(node, path) ?? node;
    report.problem({
      code,
      severity,
      at: at.place,
      message: `\`${['policy', ...path].join('.')}\`: ${message}`,
      found: describeNode(at),
      expected: expected ?? 'a limit of the rule',
      hint: hint ?? 'docs/policy.md lists the rules.',
    });
  }
  return value;
}

/** Reads the rules of a document; undefined when any is invalid, which is reported. */
export function readPolicy(node: YamlNode, report: Report): Guardrails | undefined {
  const map = asMap(node, { report, expects: 'policy' }, 'policy');
  if (!map) return undefined;
  // A reference would let the environment of a run decide what is forbidden.
  const read = readFields(POLICY_FORMS, map, { report, expects: 'map', verbatim: Object.keys(POLICY_FORMS) });
  const isRead = map.entries.every(({ name }) => Object.hasOwn(read, name));
  if (map.broken || !isRead || hasReferences(map)) return undefined;
  const guardrails = parse(map, report);
  const places: Readonly<Record<string, Place>> = Object.fromEntries(map.entries.map(({ name, at }) => [name, at]));
  if (map.entries.length > 0) return guardrails && { ...guardrails, places };
  report.problem({
    code: 'manifest.missing-field',
    at: map.place,
    message: 'The policy has no rule.',
    found: 'an empty map',
    expected: 'at least one rule',
    hint: 'For example `budget: { usd: 100 }`. docs/policy.md lists the rules.',
  });
  return undefined;
}

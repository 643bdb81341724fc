import type { Report } from '../../source/index.ts';
import { type JsonNode, stringIn, tryFindMember } from '../json/node.ts';
import { type Block, membersOf, nestedBlocks } from './block.ts';
import type { Module } from './module.ts';

const MOST = 6;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => `\`${name}\``);
  return names.length > MOST ? `${shown.join(', ')} and ${names.length - MOST} more` : shown.join(', ');
}

/** Warns once of everything in a module that has no effect here. In a module without keys that is expected. */
export function reportIgnored({ others, keys }: Module, report: Report): void {
  const [first] = others;
  if (!first || keys.size === 0) return;
  const types = [...new Set(others.map(({ labels }) => labels[0] ?? ''))].sort();
  report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: first.at,
    message: 'Keyplane ignores some of the blocks; Terraform applies them.',
    found: listed(types),
    expected: '`keyplane_api_key` and `data.keyplane_check`',
    hint: 'Run Terraform for the rest. Only one of the two should apply the keys.',
  });
}

/** A condition that holds whenever the check passes. */
const IMPLIED = /^\$\{(self|data\.keyplane_check\.[^.]+(\[.*\])?)\.passed\}$/;

const isImplied = (node: JsonNode | undefined): boolean => IMPLIED.test((stringIn(node) ?? '').replace(/\s/g, ''));

function reportCondition(at: Block['at'], what: string, report: Report): void {
  report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at,
    message: `Keyplane ignores ${what}; Terraform evaluates it.`,
    found: 'a condition other than `passed`',
    expected: '`${data.keyplane_check.NAME.passed}`',
    hint: 'Every check must pass anyway; put the rest into its `expect`.',
  });
}

/** Warns of conditions beyond those that every check has. */
export function reportConditions({ assertions, checks }: Module, report: Report): void {
  for (const { body, at, labels } of assertions) {
    const asserted = nestedBlocks(body, 'assert', report);
    const isOwn = asserted.some((assert) => !isImplied(tryFindMember(assert, 'condition')?.node));
    if (isOwn || membersOf(body).some(({ name }) => name === 'data')) {
      reportCondition(at, `the \`check\` block \`${labels[0]}\``, report);
    }
  }
  for (const { body, at, address, construct } of checks.values()) {
    const lifecycles = nestedBlocks(body, 'lifecycle', report);
    const conditions = ['precondition', 'postcondition'].flatMap((kind) =>
      lifecycles.flatMap((lifecycle) => nestedBlocks(lifecycle, kind, report)),
    );
    if (conditions.some((condition) => !isImplied(tryFindMember(condition, 'condition')?.node))) {
      reportCondition({ ...at, construct }, `a condition of \`${address}\``, report);
    }
  }
}

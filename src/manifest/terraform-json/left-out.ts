import type { Report } from '../../source/index.ts';
import { type Tree, tryFindEntry } from '../yaml/tree.ts';
import { type Block, entriesOf, nested } from './block.ts';
import type { Module } from './module.ts';

const MOST = 6;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => `\`${name}\``);
  return names.length > MOST ? `${shown.join(', ')} and ${names.length - MOST} more` : shown.join(', ');
}

/** What has no effect here, in one warning for the module. Of a module without keys nobody expects any. */
export function tellOthers({ others, keys }: Module, report: Report): void {
  const [first] = others;
  if (!first || keys.size === 0) return;
  const kinds = [...new Set(others.map(({ labels }) => labels[0] ?? ''))].sort();
  report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: first.at,
    message: 'Some of what stands here is left to Terraform.',
    found: listed(kinds),
    expected: '`keyplane_api_key` and `data.keyplane_check`',
    hint: 'Run Terraform for the rest; only one of the two should apply the keys.',
  });
}

const conditionOf = (node: Tree | undefined): string =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value.replace(/\s/g, '') : '';

/** A condition that holds whenever the check passes. */
const IMPLIED = /^\$\{(self|data\.keyplane_check\.[^.]+(\[.*\])?)\.passed\}$/;

const isImplied = (node: Tree | undefined): boolean => IMPLIED.test(conditionOf(node));

function tellAssertion(at: Block['at'], what: string, report: Report): void {
  report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at,
    message: `${what} is left to Terraform.`,
    found: 'a condition of its own',
    expected: '`${data.keyplane_check.NAME.passed}`',
    hint: 'That a check passes is asked anyway; say the rest in its `expect`.',
  });
}

/** Conditions beyond those that every check has. */
export function tellAssertions({ assertions, checks }: Module, report: Report): void {
  for (const { body, at, labels } of assertions) {
    const asserted = nested(body, 'assert', report);
    const isOwn = asserted.some((assert) => !isImplied(tryFindEntry(assert, 'condition')?.node));
    if (isOwn || entriesOf(body).some(({ name }) => name === 'data')) {
      tellAssertion(at, `The \`check\` block \`${labels[0]}\``, report);
    }
  }
  for (const { body, at, address, construct } of checks.values()) {
    const lifecycles = nested(body, 'lifecycle', report);
    const conditions = ['precondition', 'postcondition'].flatMap((kind) =>
      lifecycles.flatMap((lifecycle) => nested(lifecycle, kind, report)),
    );
    if (conditions.some((condition) => !isImplied(tryFindEntry(condition, 'condition')?.node))) {
      tellAssertion({ ...at, construct }, `A condition of \`${address}\``, report);
    }
  }
}

import { expect } from 'vitest';
import type { Stack } from './stack.ts';

interface ResourceChange {
  readonly address: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
    readonly after_unknown: Readonly<Record<string, unknown>>;
  };
}

/** The changes of a plan: by address, the action and the attributes that it changes. Unchanged resources are omitted. */
export async function planned(stack: Stack, ...words: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { code, stderr } = await stack.run('plan', '-out', 'plan.bin', ...words);
  expect(code, stderr).toBe(0);
  const { stdout } = await stack.run('show', '-json', 'plan.bin');
  const { resource_changes: changes = [] } = JSON.parse(stdout) as { resource_changes?: readonly ResourceChange[] };
  const reported = changes.filter(({ change }) => change.actions.join() !== 'no-op').map(describeChange);
  return Object.fromEntries(reported);
}

function describeChange({ address, change }: ResourceChange): [string, string] {
  const { actions, before, after, after_unknown: unknown } = change;
  const names = Object.keys({ ...before, ...after }).filter(
    (name) => unknown[name] !== true && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  );
  const unknowns = Object.keys(unknown).filter((name) => unknown[name] === true);
  const isChange = actions.join() === 'update';
  const fields = isChange ? [...names.sort(), ...unknowns.sort().map((name) => `${name}?`)].join(' ') : '';
  return [address.replace('keyplane_api_key.', ''), [actions.join('+'), fields].filter(Boolean).join(': ')];
}

/** Nothing is left to do, and nobody finds a difference. */
export async function expectSettled(stack: Stack): Promise<void> {
  const { code, stdout, stderr } = await stack.run('plan', '-detailed-exitcode');
  expect([code, stderr], stdout).toEqual([0, '']);
}

export async function expectApplied(stack: Stack, ...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await stack.run('apply', '-auto-approve', ...words);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** The state of one resource. */
export async function stateOf(stack: Stack, address: string): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await stack.run('show', '-json');
  const { values } = JSON.parse(stdout) as {
    values?: { root_module: { resources: readonly { address: string; values: Record<string, unknown> }[] } };
  };
  const found = values?.root_module.resources.find((resource) => resource.address === address);
  return found?.values ?? {};
}

/** A resource that is named as its key is. */
export const key = (label: string, body = 'budget = { usd = 1, per = "lifetime" }'): string =>
  `resource "keyplane_api_key" "${label}" {\n  name = "${label}"\n  ${body}\n}\n`;

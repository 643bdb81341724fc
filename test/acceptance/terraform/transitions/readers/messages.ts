import type { Ran } from '../../stack.ts';
import type { ReadCell } from './cells.ts';
import type { Arguments, Value } from './values.ts';

/**
 * The messages of the engine while it works. Ephemeral resources are in no state: their configuration compares them. A plan with conditions
 * of theirs ends `terraform show -json` of 1.11 with a panic, so nothing is read from it.
 */

const isEqual = (name: string, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return `self.${name} == ${JSON.stringify(value ?? null)}`;
  const parts = Object.entries(value).map(([part, each]: [string, Value]) => isEqual(`${name}.${part}`, each));
  return parts.join(' && ');
};

/**
 * The condition that the result is as required, as HCL. OpenTofu evaluates it before it opens what it defers, when blocks are null and
 * not unknown: what only the provider knows makes it unknown then.
 */
export function postconditionOf({ reader }: ReadCell, required: Arguments): string {
  const { attributes } = reader.schema;
  const [opened] = Object.keys(attributes).filter((name) => attributes[name]?.set === 'computed');
  const isAsRequired = Object.keys(attributes).map((name) => isEqual(name, required[name]));
  return `self.${opened} == null ? false : ${isAsRequired.join(' && ')}`;
}

interface Message {
  readonly type?: string;
  readonly hook?: {
    readonly resource?: { readonly addr?: string };
    /** The verb of a resource, or the address of an action. */
    readonly action?: string | { readonly addr?: string };
  };
  readonly list_resource_found?: {
    readonly address: string;
    readonly display_name: string;
    readonly identity: { readonly id: number };
  };
  readonly diagnostic?: { readonly summary: string; readonly snippet?: { readonly context: string | null } | null };
  readonly change?: { readonly resource?: { readonly addr?: string }; readonly action?: string };
}

export const messagesIn = ({ stdout }: Ran): readonly Message[] =>
  stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Message);

/** The addresses of data sources that a plan leaves to its apply. */
export const deferredIn = (ran: Ran): ReadonlySet<string> =>
  new Set(
    messagesIn(ran).flatMap(({ type, change }) =>
      type === 'planned_change' && change?.action === 'read' ? [change.resource?.addr ?? ''] : [],
    ),
  );

/**
 * The addresses of the ephemeral resources that a command opened. OpenTofu reports that only to people.
 */
export const openedIn = (ran: Ran): ReadonlySet<string> =>
  new Set([
    ...messagesIn(ran).flatMap(({ type, hook }) =>
      type === 'ephemeral_op_start' && hook?.action === 'open' ? [hook.resource?.addr ?? ''] : [],
    ),
    ...[...ran.stdout.matchAll(/^(ephemeral\.\S+): Opening\.\.\.$/gm)].map(([, address = '']) => address),
  ]);

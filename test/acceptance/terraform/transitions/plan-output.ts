import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import type { Ran } from '../stack.ts';
import type { Stored } from './values.ts';

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly address?: string;
  readonly snippet?: { readonly context: string | null } | null;
}

/** A planned change of one resource, other than none. */
export interface KeyChange {
  /** The change of the resource, seen from one of its attributes. */
  describe(attribute: string): string;
}

interface ResourceChange {
  readonly address: string;
  readonly previous_address?: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly before: Stored | null;
    readonly after: Stored | null;
    readonly after_unknown: Stored;
    readonly importing?: object;
  };
}

/** The diagnostics that a command printed as JSON: in one document, or one a line. */
export function diagnosticsIn({ stdout }: Ran): readonly Diagnostic[] {
  if (stdout.startsWith('{\n')) return (JSON.parse(stdout) as { diagnostics: readonly Diagnostic[] }).diagnostics;
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly diagnostic?: Diagnostic })
    .flatMap(({ diagnostic }) => (diagnostic ? [diagnostic] : []));
}

/** Errors of the engine itself have no address, but the line of the block. */
function addressIn({ address, snippet }: Diagnostic): string | undefined {
  const [, label] = /^resource "keyplane_api_key" "(\w+)"/.exec(snippet?.context ?? '') ?? [];
  return address ?? (label && `keyplane_api_key.${label}`);
}

export const summariesAt = (
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic['severity'],
  address: string,
): readonly string[] =>
  diagnostics.filter((each) => each.severity === severity && addressIn(each) === address).map(({ summary }) => summary);

const ACTIONS: Readonly<Record<string, string>> = { 'no-op': 'nothing', 'delete,create': 'replace' };

const isPartUnknown = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(isPartUnknown) : value === true;

function describeUpdate(
  { before, after, after_unknown: unknown }: ResourceChange['change'],
  attribute: string,
): string {
  const names = Object.entries(KEY_SCHEMA.attributes)
    .filter(([, { set }]) => set !== 'computed')
    // A prefix changes the name.
    .filter(([name]) => name !== 'name' || attribute !== 'name_prefix')
    .map(([name]) => name)
    .filter((name) => isPartUnknown(unknown[name]) || JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  if (names.length === 0) return 'change of nothing';
  if (names.join() !== attribute) return names.includes(attribute) ? `change of ${names.join(', ')}` : 'other change';
  return isPartUnknown(unknown[attribute]) ? 'change to unknown' : 'change';
}

function describeChange({ change, previous_address: previous }: ResourceChange, attribute: string): string {
  const action = change.actions.join();
  if (action === 'update') return describeUpdate(change, attribute);
  const isRead = KEY_SCHEMA.attributes[attribute]?.set === 'computed';
  if (action === 'create')
    return isPartUnknown(change.after_unknown[attribute]) && !isRead ? 'create with unknown' : 'create';
  if (action !== 'no-op') return ACTIONS[action] ?? action;
  if (change.importing) return 'import';
  return previous === undefined ? 'nothing' : 'move';
}

/** The changes of keys in a plan, by address. */
export function plannedIn({ stdout }: Ran): ReadonlyMap<string, KeyChange> {
  const { resource_changes: changes = [] } = JSON.parse(stdout) as { resource_changes?: readonly ResourceChange[] };
  return new Map(
    changes
      .filter(({ address }) => address.startsWith('keyplane_api_key.'))
      .filter((each) => describeChange(each, '') !== 'nothing')
      .map((each) => [each.address, { describe: (attribute: string) => describeChange(each, attribute) }]),
  );
}

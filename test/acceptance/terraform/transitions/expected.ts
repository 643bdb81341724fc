import type { ProfileName } from '../../../../src/reference/index.ts';
import {
  type Cell,
  hasElements,
  isBlockAttribute,
  isObjectAttribute,
  isRestriction,
  type Transition,
} from './cells.ts';
import { OUTCOMES, type OutcomeName } from './outcomes.ts';

/** The outcome of a cell, or the reason why there is no such transition. */
export type Expected = OutcomeName | { readonly none: string };

type Row = Readonly<Record<Transition, Expected>>;

export const none = (reason: string): { readonly none: string } => ({ none: reason });

export const NO_ELEMENTS = none('It has no elements.');
export const CAN_BE_SET = none('It can be set.');
export const CANNOT_BE_SET = none('It cannot be set: see “read-only”.');
export const NEVER_CHANGES = none('It never changes at the gateway.');
const NO_SMART_ROUTING = none('The gateway has no Smart Routing: see “set”.');

function nullElementOf(attribute: string): Expected {
  if (hasElements(attribute)) return 'error';
  return isObjectAttribute(attribute) ? 'stored' : NO_ELEMENTS;
}

/** An attribute that the gateway keeps if it is omitted. */
const managedRow = ({ attribute }: Cell): Row => ({
  set: 'stored',
  omit: 'not managed',
  null: 'not managed',
  'null element': nullElementOf(attribute),
  unknown: 'stored when known',
  'read-only': CAN_BE_SET,
  'ignore alone': 'kept',
  'ignore and other': 'kept, other written',
  drift: 'restored',
  import: 'no change',
  move: 'moved',
  replace: 'stored again',
  remove: isRestriction(attribute) ? 'kept, warning' : 'kept',
});

const ROWS: Readonly<Record<Cell['setter'], (cell: Cell) => Row>> = {
  required: (cell) => ({ ...managedRow(cell), omit: 'error', null: 'error', remove: 'error' }),
  'optional or computed': managedRow,
  // An argument of the provider, which the gateway does not have.
  optional: (cell) => ({
    ...managedRow(cell),
    omit: 'not set',
    null: isBlockAttribute(cell.attribute) ? none('It is a block: see “omitted”.') : 'not set',
    drift: none('It is not at the gateway.'),
    import: 'recorded',
    remove: 'removed',
  }),
  computed: () => ({
    set: CANNOT_BE_SET,
    omit: 'read',
    null: 'read',
    'null element': CANNOT_BE_SET,
    unknown: 'error',
    'read-only': 'error',
    'ignore alone': 'read, redundant',
    'ignore and other': 'read, redundant, other written',
    drift: 'read',
    import: 'read by the import',
    move: 'read, moved',
    replace: 'read again',
    remove: CANNOT_BE_SET,
  }),
};

/** Cells that differ from those of other attributes of their kind. */
const SPECIAL: Readonly<Record<string, Partial<Row>>> = {
  enabled: { set: 'stored, warning' },
  name: { omit: 'error in plan', null: 'error in plan' },
  rotate_when_changed: { set: 'replaced', unknown: 'replaced when known' },
  budget: { omit: 'error in plan', null: 'error in plan', drift: 'restored, warning', remove: 'kept, shown' },
  id: { drift: NEVER_CHANGES },
  masked_key: { drift: NEVER_CHANGES },
  created_at: { drift: NEVER_CHANGES },
  old_generations: { drift: none('Only a rotation changes it.') },
  remaining_quota: { drift: 'as before' },
  used_quota: { drift: 'as before' },
};

export function expectedOf(cell: Cell, profile: ProfileName): Expected {
  const { attribute, setter, transition } = cell;
  if (attribute === 'smart_routing_tiers' && profile !== 'contract')
    return transition === 'set' ? 'not kept' : NO_SMART_ROUTING;
  if (attribute === 'rotation' && transition === 'import' && profile === 'contract') return 'rotated, warning';
  return SPECIAL[attribute]?.[transition] ?? ROWS[setter](cell)[transition];
}

/** The command that rejects the cell; undefined where two plans are applied. */
export function rejectingCommand(expected: Expected): 'validate' | 'plan' | undefined {
  if (typeof expected !== 'string') return undefined;
  const outcome = OUTCOMES[expected];
  return 'rejectedBy' in outcome ? outcome.rejectedBy : undefined;
}

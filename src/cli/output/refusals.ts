import { type Diagnostic, Fault, type GuardCode, type Json } from '../../domain/index.ts';
import { COMMAND_LINE, type Guidance } from './guidance.ts';
import { hang, outdent } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { renderLine } from './layout/place.ts';
import { printable } from './layout/printable.ts';
import type { Wording } from './wording.ts';

interface Style {
  readonly paint: Paint;
  readonly width: number;
  readonly severity: Wording['refusal'];
  /** Default: the words of the command line. */
  readonly guidance?: Guidance;
}

/** The advice where no flag lifts a rule. */
const REMEDIES: Readonly<Partial<Record<GuardCode, string>>> = {
  'guard.no-budget': 'Declare its `budget`; `budget: unlimited` sets no ceiling',
};

/** Returns the flag, or the option, that lifts a rule of the guard for one run; empty: none does. */
const liftOf = (refusal: Diagnostic, { lifts }: Guidance): string => lifts[refusal.code as GuardCode]?.(refusal) ?? '';

/** A rule of a policy has its own advice, and no flag lifts it. */
const policyAdvice = ({ code, expected, hint }: Diagnostic): string | undefined =>
  code === 'guard.policy' ? `Expected ${expected}. ${hint}`.replace(/\.$/, '') : undefined;

const remedyOf = (refusal: Diagnostic): string | undefined =>
  policyAdvice(refusal) ?? REMEDIES[refusal.code as GuardCode];

/** The message, with the places of the declaration and of the rule that it breaks. */
function placedMessage({ message, place, related = [] }: Diagnostic): string {
  const places = [
    ...(place ? [renderLine(place)] : []),
    ...related.map((each) => `${each.message}: ${renderLine(each.place)}`),
  ];
  return places.length === 0 ? message : `${message} (${places.join('; ')})`;
}

/** The rule that a key breaks, and what is expected. */
const policyData = ({ code, data, expected, hint, place, path }: Diagnostic) =>
  code === 'guard.policy'
    ? {
        rule: String(data?.rule),
        ...(path?.[0] && { field: path[0] }),
        expected,
        hint,
        ...(place && { place: { ...place } }),
      }
    : {};

/** Refusals as machines read them. */
export const refusalData = (refusals: readonly Diagnostic[]): Json =>
  refusals.map((refusal) => ({
    code: refusal.code,
    message: refusal.message,
    flag: liftOf(refusal, COMMAND_LINE),
    names: (refusal.data?.names as readonly string[] | undefined) ?? [],
    ...policyData(refusal),
  }));

/** Words a fault of the guard with the flags that allow the plan; returns any other fault as it is. */
export function withFlags(fault: Fault): Fault {
  if (!Array.isArray(fault.detail.refusals)) return fault;
  const refusals: readonly Diagnostic[] = fault.detail.refusals;
  const flags = refusals.map((refusal) => liftOf(refusal, COMMAND_LINE)).filter((flag) => flag !== '');
  const remedies = new Set(refusals.map(remedyOf).flatMap((remedy) => (remedy === undefined ? [] : [`${remedy}.`])));
  const lifted = flags.length === 0 ? [] : [`To allow it for one run, pass ${flags.join(' ')}.`];
  return new Fault(fault.code, fault.message, {
    hint: [fault.hint, ...remedies, ...lifted].join(' '),
    detail: { refusals: refusalData(refusals) },
  });
}

/** The severity is an error where the plan is refused, a warning where an apply would refuse it. */
const adviceOf = (
  refusal: Diagnostic,
  { refusal: severity, guidance }: Pick<Wording, 'refusal' | 'guidance'>,
): string =>
  remedyOf(refusal) ??
  `${liftOf(refusal, guidance)} allows it for one run${severity === 'warning' ? '; apply refuses without it' : ''}`;

/** A reason of the guard in the formats of reports: its head, and a sentence with the flag. */
export interface ReportedRefusal {
  readonly head: string;
  readonly sentence: string;
}

export const reportedRefusals = (refusals: readonly Diagnostic[], wording: Wording): readonly ReportedRefusal[] =>
  refusals.map((refusal) => ({
    head: `${wording.refusal}[${refusal.code}]`,
    sentence: `${placedMessage(refusal)} ${adviceOf(refusal, wording)}.`,
  }));

/** Renders the reasons of the guard, each with the flag that lifts it for one run. */
export function renderRefusals(
  refusals: readonly Diagnostic[],
  { paint, width, severity, guidance = COMMAND_LINE }: Style,
): string {
  const colour = severity === 'error' ? paint.bad : paint.change;
  return refusals
    .flatMap((refusal) => [
      ...outdent(
        `${colour(paint.strong(severity))}${paint.faint(`[${refusal.code}]`)}: ${printable(placedMessage(refusal))}`,
        width,
      ),
      ...hang('  hint: ', `${adviceOf(refusal, { refusal: severity, guidance })}.`, width),
    ])
    .join('\n');
}

import {
  type ApplyReport,
  type Fault,
  FIELD_ROWS,
  isPending,
  type Outcome,
  type SettingName,
  type SpendCorrection,
  type Verb,
} from '../../../../domain/index.ts';
import { type DiagnosticContent, diagnosticsOf, type ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import { madeTwice } from '../names/name-taken.ts';
import { atBudget } from '../plan/compare.ts';
import { sentence } from '../plan/plan-warnings.ts';
import { settingsOf } from '../values/fields.ts';

/** Reports the run of one key's plan as Terraform's diagnostics. */

const MOVED = 'Plan again: the next plan shows the key as it is now.';

const NAME_TAKEN =
  'If another resource releases the name, apply again; if more keys than `-parallelism` exchange their names, raise it. With `for_each` instead of `count`, keys would not exchange their names.';

/** Did another run make a key with the same name and settings? */
export const isMadeTwice = (outcome: Outcome): outcome is Extract<Outcome, { readonly fault: Fault }> =>
  'fault' in outcome && outcome.fault.code === 'apply.duplicate';

const idsOf = ({ detail: { ids } }: Fault): readonly number[] =>
  Array.isArray(ids) ? ids.filter((id) => typeof id === 'number').sort((a, b) => a - b) : [];

function outcomeDiagnostics(outcome: Outcome): readonly ProtocolDiagnostic[] {
  if (outcome.state === 'skipped' && outcome.code === 'plan.stale') {
    return [{ severity: 'error', summary: sentence(outcome.reason), detail: MOVED }];
  }
  if (outcome.state === 'skipped') {
    const remedy = outcome.change.verb === 'rename' ? { detail: NAME_TAKEN, path: ['name'] } : {};
    return [{ severity: 'error', summary: `Skipped: ${outcome.reason}`, ...remedy }];
  }
  if (isMadeTwice(outcome)) return [madeTwice(outcome.change, idsOf(outcome.fault))];
  if ('fault' in outcome) return diagnosticsOf(outcome.fault);
  return outcome.remark === undefined ? [] : [{ severity: 'warning', summary: sentence(outcome.remark) }];
}

function correctionDiagnostics({ name, units, takenBack }: SpendCorrection): readonly ProtocolDiagnostic[] {
  if (takenBack) return [];
  const summary = `${name} may spend ${units} quota unit${units === 1 ? '' : 's'} more than declared: its spending during the write could not be deducted`;
  return [{ severity: 'warning', summary }];
}

const unverifiedDiagnostic = (name: string): ProtocolDiagnostic => ({
  severity: 'warning',
  summary: `${name} may hold more than declared: its spending during the write could not be read`,
});

const isUnstarted = (outcome: Outcome): boolean => outcome.state === 'skipped' && outcome.code !== 'plan.stale';

const DONE: Partial<Record<Verb, string>> = { create: 'created', delete: 'deleted' };

const interruption = ({ change: { verb } }: Outcome): ProtocolDiagnostic => ({
  severity: 'error',
  summary: `Interrupted before the key was ${DONE[verb] ?? 'changed'}`,
  detail: 'Apply again.',
});

/** Whatever ended a run early is reported once, and not again for each change that did not start. */
function endOf({ outcomes, fatal, interrupted }: ApplyReport): readonly ProtocolDiagnostic[] {
  const [unstarted] = outcomes.filter(isUnstarted);
  if (fatal !== undefined) return diagnosticsOf(atBudget(fatal));
  return interrupted && unstarted ? [interruption(unstarted)] : [];
}

export function reportDiagnostics(report: ApplyReport): readonly ProtocolDiagnostic[] {
  const { outcomes, corrections, unverified = [], fatal, interrupted } = report;
  const isEnded = interrupted || fatal !== undefined;
  const own = outcomes.filter((outcome) => !isEnded || !isUnstarted(outcome)).flatMap(outcomeDiagnostics);
  const ended = hasErrors(own) ? [] : endOf(report);
  const unread = hasErrors(own) ? [] : unverified.map(unverifiedDiagnostic);
  return [...ended, ...own, ...corrections.flatMap(correctionDiagnostics), ...unread];
}

export const hasErrors = (diagnostics: readonly ProtocolDiagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');

/** The attribute that declares a setting. */
export function attributeOf(setting: SettingName): string {
  if (setting === 'name') return 'name';
  const row = FIELD_ROWS.find(([field, fieldRow]) => settingsOf(field, fieldRow).includes(setting))?.[1];
  return row?.terraform ?? 'budget';
}

const differs = (attribute: string): DiagnosticContent => ({
  summary: `The gateway accepted the change, but \`${attribute}\` still differs`,
  detail:
    attribute === 'name'
      ? MOVED
      : `If nobody else changed the key, the gateway does not keep it: remove \`${attribute}\`, or every plan will show it again.`,
  path: [attribute],
});

/** Names the attributes that the gateway accepted and did not keep. */
export function notConverged({ after }: Pick<ApplyReport, 'after'>): readonly DiagnosticContent[] {
  const left = (after?.changes ?? []).filter(isPending);
  const attributes = left.flatMap((change) =>
    'edits' in change && change.edits.length > 0 ? change.edits.map(({ field }) => attributeOf(field)) : ['enabled'],
  );
  return [...new Set(attributes)].map(differs);
}

import { type PlanStyle, renderPlan } from '../plan.ts';
import { renderRefusals } from '../refusals.ts';
import { renderOutlook } from './outlook.ts';
import { renderOwners } from './owners.ts';
import type { ChangePage } from './reported-change.ts';

/** A plan or a drift in lines. */
export function renderChangeText(
  { plan, now, wording, refusals, outlook = [], owners = [], digest }: ChangePage,
  look: Omit<PlanStyle, 'wording'>,
): string {
  const blocks = [
    renderRefusals(refusals, { ...look, severity: wording.refusal, guidance: wording.guidance }),
    renderPlan(plan, now, { ...look, wording }),
    renderOutlook(outlook, look.width),
    renderOwners(owners, look.width),
    digest === undefined ? '' : `Digest: ${digest}`,
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}

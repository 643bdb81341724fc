import {
  type AccountRef,
  comparableAddress,
  Fault,
  inOneLine,
  type ManifestRef,
  type Moved,
  type Plan,
} from '../domain/index.ts';

const nameOf = ({ url, userId }: AccountRef): string => `user ${userId} of ${inOneLine(url)}`;

/** @throws Fault `plan.foreign` when the plan was made for another account. */
export function refuseForeign({ account: planned }: Plan, account: AccountRef): void {
  const isSame = comparableAddress(planned.url) === comparableAddress(account.url) && planned.userId === account.userId;
  if (isSame) return;
  throw new Fault('plan.foreign', `The saved plan is for ${nameOf(planned)}, not for ${nameOf(account)}.`, {
    hint: 'Apply it with the manifest and the settings that it was made with.',
  });
}

const lineOf = ({ name, id, what }: Moved): string =>
  inOneLine(`- ${name}${id === undefined ? '' : ` (id ${id})`}: ${what}`);

/**
 * A saved plan belongs to its manifest: what was merged since may contradict it.
 *
 * @throws Fault `plan.other-manifest` when the plan was made from another manifest, or from an unknown one.
 */
export function refuseOtherManifest({ manifest: origin }: Plan, manifest: ManifestRef | undefined): void {
  if (manifest === undefined || origin?.digest === manifest.digest) return;
  const at = origin?.commit === undefined ? '' : ` (commit ${origin.commit.slice(0, 12)})`;
  throw new Fault('plan.other-manifest', `The manifest is not the one that the saved plan was made from${at}.`, {
    hint: 'Nothing was changed. Make a new plan, and review it.',
    remedy: 'apply-plan-alone',
    detail: { planned: origin?.digest ?? null, found: manifest.digest },
  });
}

/** @throws Fault `plan.stale` when there is something that the reviewer of a saved plan would want to see again. */
export function refuseStale(moves: readonly Moved[]): void {
  if (moves.length === 0) return;
  const lines = ['The saved plan is out of date. Changed since it was made:', ...moves.map(lineOf)];
  throw new Fault('plan.stale', lines.join('\n'), {
    hint: 'Nothing was changed. Make a new plan, and review it again.',
    detail: { moved: moves },
  });
}

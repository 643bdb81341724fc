import { Fault } from '../fault.ts';
import { type Decimal, type Quota, usdFromQuota } from '../quantity.ts';
import type { CheckReport } from './check-report.ts';

/**
 * Lists everything that is wrong with a run of checks, each as one fault: the fault that ended it, an interruption, failed
 * checks, and checks that were too expensive. Empty if every check has passed.
 *
 * @param strict counts unprovable checks as failed
 */
export function checkFaults(
  { fatal, interrupted, results, capReached, excess, quotaPerUnit }: CheckReport,
  strict = false,
): readonly Fault[] {
  const failed = results.filter(({ verdict }) => verdict === 'failed' || (strict && verdict === 'unprovable'));
  const undecodable = results.filter(({ code }) => code === 'tool.missing-package');
  return [
    ...(fatal ? [fatal] : []),
    ...(interrupted && !fatal ? [interruption()] : []),
    ...(failed.length > 0 ? [failure(failed)] : []),
    ...(undecodable.length > 0 ? [missingDecoder(undecodable)] : []),
    ...(excess === undefined ? [] : [exceededCap(excess, quotaPerUnit)]),
    ...(capReached ? [overCap()] : []),
  ];
}

/** Reduces a report to its first fault; undefined if every check that ran has passed. */
export const checkVerdict = (report: CheckReport, strict = false): Fault | undefined => checkFaults(report, strict)[0];

const interruption = (): Fault =>
  new Fault('gateway.interrupted', 'Interrupted before all checks had run.', { hint: 'Run it again.' });

function failure(failed: CheckReport['results']): Fault {
  const noun = failed.length === 1 ? 'check' : 'checks';
  return new Fault('check.failed', `${failed.length} ${noun} failed.`, {
    hint: 'The report names them, with the reasons.',
    detail: { failed: failed.map(({ key, check }) => ({ key, check })) },
  });
}

/** Without a fault, a run in CI would pass for ever without the checks that it was made for. */
const missingDecoder = (results: CheckReport['results']): Fault =>
  new Fault(
    'tool.missing-package',
    'Some checks were not run: the package sharp, which decodes images, is not installed.',
    {
      hint: 'Nothing was sent for them.',
      remedy: 'install-image-decoder',
      detail: { package: 'sharp', checks: results.map(({ key, check }) => ({ key, check })) },
    },
  );

const exceededCap = (excess: Quota, quotaPerUnit: Decimal | undefined): Fault => {
  const amount = quotaPerUnit ? `$${usdFromQuota(excess, quotaPerUnit, 6)}` : `${excess} units`;
  return new Fault('check.cost-cap', `The checks cost ${amount} more than the cost limit.`, {
    hint: 'The gateway charged more than the price that it publishes or has charged before. The report has the charge of each check.',
    detail: { excess },
  });
};

const overCap = (): Fault =>
  new Fault('check.cost-cap', 'Some checks were skipped: they might have exceeded the cost limit.', {
    hint: 'Raise the limit or run fewer checks.',
    remedy: 'raise-cost-cap',
  });

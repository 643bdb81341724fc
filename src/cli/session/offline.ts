import { decimalOf, Fault } from '../../domain/index.ts';
import { planOffline, type Review } from '../../engine/index.ts';
import { engineRequest } from '../../library/index.ts';
import { manifestDigest } from '../../manifest/index.ts';
import type { Context } from '../program/command.ts';
import { has, text } from '../program/option.ts';
import { requestOf } from './keyplane.ts';
import { readManifestOf } from './manifest-input.ts';

/** Most gateways count so many units for a dollar. Amounts in dollars do not depend on it. */
const USUAL_RATE = decimalOf(500_000);

/** Refuses the flags that a manifest from a stranger cannot decide, or a plan without a gateway cannot have. */
function refuseFlags({ given }: Context): void {
  if (text(given, 'base') === undefined) {
    throw new Fault('usage.invalid', '--untrusted requires --base.', {
      hint: 'Pass the manifest to compare with: --base origin/main in a pull request.',
    });
  }
  const excluded = ['out', 'env', 'usage-cache'].find((flag) => has(given, flag));
  if (excluded === undefined) return;
  throw new Fault('usage.invalid', `--untrusted and --${excluded} exclude each other.`, {
    hint: 'A plan without a gateway cannot be applied. --report FILE writes it to a file.',
  });
}

/**
 * The difference between `--base` and the manifest, with neither credentials nor network.
 *
 * @throws Fault `usage.invalid`, `manifest.invalid`, and those of a plan
 */
export async function offlineReview(context: Context): Promise<Review> {
  refuseFlags(context);
  const manifest = await readManifestOf(context);
  const { readBase } = await import('./base/read-base.ts');
  const basis = await readBase(context);
  if (basis === undefined) throw new Fault('usage.invalid', '--untrusted requires --base.');
  const { url = 'an unknown gateway', userId = 0 } = manifest.gateway;
  return planOffline(
    { desired: manifest.desired, basis, now: context.now() },
    { account: { url, userId }, quotaPerUnit: USUAL_RATE },
    { ...engineRequest(requestOf(context)), manifest: { digest: manifestDigest(manifest) } },
  );
}

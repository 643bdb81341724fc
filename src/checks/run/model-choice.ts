import { asFault, type FaultCode } from '../../domain/index.ts';
import type { Inference } from '../../gateway/index.ts';
import type { CheckedKey, CheckModuleEntry } from '../check-module.ts';

const listings = new WeakMap<Inference, Promise<readonly string[]>>();

/** The gateway has no such listing, or none that can be read: a check that names its model needs none. */
export const WITHOUT_LISTING: ReadonlySet<FaultCode> = new Set([
  'request.refused',
  'gateway.not-json',
  'gateway.unexpected-shape',
]);

/** The models that the gateway lists for a key; none where it has no listing. */
export async function listedModels(
  inference: Inference,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly string[]> {
  try {
    return (await inference.models(options)).value;
  } catch (thrown) {
    if (WITHOUT_LISTING.has(asFault(thrown).code)) return [];
    throw thrown;
  }
}

/** The models that the gateway lists for a key, asked once. */
function listedOnce(inference: Inference): Promise<readonly string[]> {
  const asked = listings.get(inference) ?? listedModels(inference);
  listings.set(inference, asked);
  return asked;
}

/**
 * The first of a key’s models that a module can ask: of its allowlist, else of what the gateway lists for it.
 * @throws Fault why the gateway lists none: for a key that it does not take, the reason to be reported
 */
export async function chooseModel(
  { observed, inference }: CheckedKey & { readonly inference: Inference },
  { entry, family }: { entry: CheckModuleEntry; family: string | undefined },
): Promise<string | undefined> {
  const takes = (model: string): boolean => entry.takes?.(model, family) === true;
  const candidates = observed.models ?? (await listedOnce(inference));
  return candidates.find(takes);
}

import type { Inference } from '../gateway/index.ts';
import type { CheckModuleEntry, ExaminedKey } from './module.ts';

const listings = new WeakMap<Inference, Promise<readonly string[]>>();

/** The models that the gateway lists for a key, asked once; none when it does not tell: the check itself will. */
function listedFor(inference: Inference): Promise<readonly string[]> {
  const asked =
    listings.get(inference) ??
    inference.models().then(
      ({ value }) => value,
      () => [],
    );
  listings.set(inference, asked);
  return asked;
}

/** The first of a key’s models that a module can ask: of its allowlist, else of what the gateway lists for it. */
export async function chooseModel(
  { observed, inference }: ExaminedKey & { readonly inference: Inference },
  { entry, family }: { entry: CheckModuleEntry; family: string | undefined },
): Promise<string | undefined> {
  const takes = (model: string): boolean => entry.takes?.(model, family) === true;
  const candidates = observed.models ?? (await listedFor(inference));
  return candidates.find(takes);
}

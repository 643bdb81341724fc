import { asFault, type FaultCode, type ObservedKey } from '../../domain/index.ts';
import type { Inference } from '../../gateway/index.ts';
import type { RunnableEntry } from '../check-module.ts';

/** The gateway has no listing of models, or none that can be read. A check that names its model does not need one. */
export const WITHOUT_LISTING: ReadonlySet<FaultCode> = new Set([
  'request.refused',
  'gateway.not-json',
  'gateway.unexpected-shape',
]);

/** Reads the models that the gateway lists for a key; none where it has no listing. */
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

/**
 * Returns the first model that a module can ask: from the allowlist of the key, or without one from the listing of the
 * gateway.
 *
 * @throws Fault if the gateway refuses to list models for the key
 */
export async function chooseModel(
  {
    observed,
    listedModels: list,
  }: {
    readonly observed: ObservedKey;
    readonly listedModels: () => Promise<readonly string[]>;
  },
  { entry, family }: { entry: RunnableEntry; family: string | undefined },
): Promise<string | undefined> {
  const candidates = observed.models ?? (await list());
  return candidates.find((model) => entry.accepts?.(model, family) === true);
}

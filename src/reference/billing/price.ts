import type { Catalog, ModelConfig } from '../catalog.ts';

/** The usage of a request. `units` counts images or tasks, which a model's price is multiplied by. */
export interface Usage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The prompt tokens that came from a cache. */
  readonly cachedTokens?: number;
  readonly units?: number;
}

export const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, units: 0 };

/** Deployed gateways write a ratio as a number or as text. */
export const groupRatio = (catalog: Catalog, group: string): number => Number(catalog.groups[group]?.ratio ?? 1);

/** Rounds to whole quota units. A cost above zero is at least one unit. */
const wholeUnits = (units: number): number => (units > 0 ? Math.max(1, Math.round(units)) : 0);

/** The cost of using a model: by its price if it has one, otherwise by tokens. */
export function quotaFor(catalog: Catalog, modelConfig: ModelConfig, use: { group: string; usage: Usage }): number {
  const { promptTokens, completionTokens, cachedTokens = 0, units = 1 } = use.usage;
  const ratio = groupRatio(catalog, use.group);
  if (modelConfig.price !== undefined) return wholeUnits(modelConfig.price * catalog.quotaPerUnit * ratio * units);
  const input = promptTokens - cachedTokens + cachedTokens * modelConfig.cacheRatio;
  return wholeUnits((input + completionTokens * modelConfig.completionRatio) * modelConfig.ratio * ratio);
}

import { type Billing, type Group, type ObservedKey, type Quota, quota, type UsageEntry } from '../../domain/index.ts';
import type { PublicPrice } from '../../wire/index.ts';
import type { JsonFields } from '../check-request.ts';

/** The facts that prices follow from. */
export interface PriceSources {
  /** The newest part of the usage log. */
  readonly entries: readonly UsageEntry[];
  readonly groups: readonly Group[];
  /** The group of the user, which keys without a group of their own have; undefined where it is unknown. */
  readonly ownGroup?: string | undefined;
  /** The prices that the gateway shows; empty where it shows none. */
  readonly prices: readonly PublicPrice[];
  /** Keys of the account, with their present groups. */
  readonly keys: readonly Pick<ObservedKey, 'id' | 'group'>[];
  readonly quotaPerUnit: number;
}

/** A price that no request of a model exceeds, at the ratio 1 of a group. */
type ModelPrice =
  /** Dollars for each image, or for each second of a video. */
  | { readonly by: 'use'; readonly usd: number }
  /** Quota units for each token. */
  | { readonly by: 'token'; readonly input: number; readonly output: number };

/** The request of a check that costs money. */
export interface CostlyRequest {
  readonly body: JsonFields;
  /** The module counts images, seconds or tokens. */
  readonly unit: 'image' | 'second' | 'token';
  /** Requests of one attempt that cost money. */
  readonly requests: number;
  readonly key: Pick<ObservedKey, 'id' | 'group'>;
}

/** The price that the metadata of a charge shows; undefined without metadata. */
function priceOf({ modelPrice, modelRatio, completionRatio = 1 }: Billing): ModelPrice | undefined {
  if (modelPrice !== undefined && modelPrice > 0) return { by: 'use', usd: modelPrice };
  if (modelRatio === undefined || modelRatio <= 0) return undefined;
  return { by: 'token', input: modelRatio, output: modelRatio * Math.max(completionRatio, 0) };
}

/** The ratio that a charge was multiplied by. A user's own ratio replaces that of the group. */
const ratioOf = ({ groupRatio = 1, userGroupRatio = -1 }: Billing): number =>
  userGroupRatio >= 0 ? userGroupRatio : groupRatio;

/** More images or seconds than a request can have. A charge for more was multiplied by something else, such as a size. */
const MOST_UNITS = 600;

/** Returns whether the price explains a charge. One that it does not explain has parts that nobody can foresee. */
function explains(price: ModelPrice, entry: UsageEntry & { billing: Billing }, quotaPerUnit: number): boolean {
  const { spent, promptTokens = 0, completionTokens = 0, billing } = entry;
  if (price.by === 'token') {
    // Rounded to whole units. Cached tokens cost less.
    const tokens = promptTokens * Math.max(1, billing.cacheRatio ?? 1) * price.input + completionTokens * price.output;
    return spent <= Math.max(1, Math.ceil(tokens * ratioOf(billing)));
  }
  const unit = price.usd * quotaPerUnit * ratioOf(billing);
  const units = Math.max(1, Math.round(spent / unit));
  return units <= MOST_UNITS && Math.abs(spent - units * unit) <= 1;
}

const isBilled = (entry: UsageEntry): entry is UsageEntry & { billing: Billing } =>
  entry.billing !== undefined && entry.spent > 0;

/**
 * Returns the price of a model: the highest of the one that the gateway shows and of those in the charges that the account
 * has paid for it. Undefined if one of the charges is not explained by its price.
 */
export function tryFindPrice(
  model: string,
  { entries, prices: shown, quotaPerUnit }: Pick<PriceSources, 'entries' | 'prices' | 'quotaPerUnit'>,
): ModelPrice | undefined {
  const own = entries.filter((entry) => entry.model === model).filter(isBilled);
  const priced = own.map((entry) => ({ entry, price: priceOf(entry.billing) }));
  if (priced.some(({ entry, price }) => !price || !explains(price, entry, quotaPerUnit))) return undefined;
  const prices: readonly ModelPrice[] = [
    ...priced.flatMap(({ price }) => price ?? []),
    ...shown.filter((price) => price.model === model),
  ];
  const [first] = prices;
  if (first?.by === 'use') {
    const usd = prices.map((price) => (price.by === 'use' ? price.usd : Number.NaN));
    return usd.some(Number.isNaN) ? undefined : { by: 'use', usd: Math.max(...usd) };
  }
  if (first === undefined || prices.some(({ by }) => by !== 'token')) return undefined;
  const tokens = prices.flatMap((price) => (price.by === 'token' ? [price] : []));
  return {
    by: 'token',
    input: Math.max(...tokens.map(({ input }) => input)),
    output: Math.max(...tokens.map(({ output }) => output)),
  };
}

/** The ratio of a key's group, or the highest that it can have; undefined when no ratio is known. */
export function tryFindRatio(
  { id, group: given }: CostlyRequest['key'],
  { groups, ownGroup = '', keys, entries }: Pick<PriceSources, 'groups' | 'ownGroup' | 'keys' | 'entries'>,
): number | undefined {
  const group = given || ownGroup;
  const listed = groups.flatMap(({ name, ratio }) => (ratio === undefined ? [] : [{ name, ratio: Number(ratio) }]));
  const named = listed.filter(({ name }) => name === group).map(({ ratio }) => ratio);
  const alike = new Set([id, ...keys.filter((other) => other.group === given).map((other) => other.id)]);
  const paid = entries
    .filter(isBilled)
    .filter(({ keyId, billing }) => (keyId !== undefined && alike.has(keyId)) || billing.group === group)
    .map(({ billing }) => ratioOf(billing));
  const known = group === 'auto' ? [] : [...named, ...paid];
  // An automatic group may become any.
  const ratios = (known.length > 0 ? known : listed.map(({ ratio }) => ratio)).filter(
    // A ratio below 0 would let a cap grow.
    (ratio) => Number.isFinite(ratio) && ratio >= 0,
  );
  return ratios.length > 0 ? Math.max(...ratios) : undefined;
}

/** Fields that count what is made, and fields that count seconds, wherever a family has them. */
const COUNTS: ReadonlySet<string> = new Set(['n', 'num_images', 'sampleCount', 'candidateCount', 'numberOfImages']);
const SECONDS: ReadonlySet<string> = new Set(['seconds', 'duration', 'durationSeconds', 'duration_seconds']);
/** Fields of the request itself that limit its output. */
const TOKENS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'];

/** The longest video that a model makes when it decides the length itself. Contract: “Limits”, Video. */
const LONGEST_SECONDS = 15;

/** The numbers of these fields, at any depth. */
function numbersIn(value: unknown, names: ReadonlySet<string>): readonly number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    names.has(name) && Number.isFinite(Number(inner)) ? [Number(inner)] : numbersIn(inner, names),
  );
}

/** Contents whose tokens the length of the request does not bound, and tools that are charged on their own. */
const UNBOUNDED =
  /"(image_url|input_image|input_audio|input_file|file|file_id|video_url|inlineData|inline_data|fileData|file_data)"|"(web_search|file_search|code_interpreter|image_generation|computer|mcp)|web_search_options/;

/** The most tokens that a request can cost: no token is shorter than a byte. Undefined when nothing limits them. */
function mostTokens(body: JsonFields, hasOutput: boolean): { input: number; output: number } | undefined {
  const text = JSON.stringify(body);
  if (UNBOUNDED.test(text)) return undefined;
  const most = TOKENS.map((name) => Number(body[name])).filter((each) => each > 0);
  if (hasOutput && most.length === 0) return undefined;
  return { input: Buffer.byteLength(text), output: hasOutput ? Math.max(...most) : 0 };
}

/** The most images or seconds that a request can cost. */
function mostUnits(body: JsonFields, unit: CostlyRequest['unit']): number | undefined {
  const count = Math.max(1, ...numbersIn(body, COUNTS));
  if (unit !== 'second') return count;
  const seconds = numbersIn(body, SECONDS).map((each) => (each > 0 ? each : LONGEST_SECONDS));
  return seconds.length === 0 ? undefined : count * Math.max(1, ...seconds);
}

/** Returns undefined for what no account can hold: a price that leads to it is a mistake, which must not end a run. */
const tryQuota = (units: number): Quota | undefined => (Number.isSafeInteger(units) ? quota(units) : undefined);

/** Returns the sum of amounts; the most that can be counted, where it is more. */
export const saturated = (units: number): Quota =>
  quota(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, units)));

/** Returns the most that a request can cost, in quota units; undefined when nothing limits it. */
export function mostUnitsOf(
  price: ModelPrice,
  { body, unit, requests }: CostlyRequest,
  { ratio, quotaPerUnit, hasOutput }: { ratio: number; quotaPerUnit: number; hasOutput: boolean },
): Quota | undefined {
  const whole = (units: number): Quota | undefined => tryQuota(Math.ceil(units * ratio) * requests);
  if (price.by === 'use') {
    const units = mostUnits(body, unit);
    return units === undefined ? undefined : whole(price.usd * quotaPerUnit * units);
  }
  // The tokens of an image or a video are not those of its request.
  const tokens = unit === 'token' ? mostTokens(body, hasOutput) : undefined;
  const answers = Math.max(1, ...numbersIn(body, COUNTS));
  return tokens && whole(tokens.input * price.input + tokens.output * price.output * answers);
}

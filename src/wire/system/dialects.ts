import * as z from 'zod';
import { shortestIpRule } from '../../domain/index.ts';
import type { GatewayProfile } from './gateway-profile.ts';

/**
 * The dialects of gateways of other kinds: where they differ from the contract in what lists look like, and in where records
 * have settings. A new kind is a new row of this table.
 */

/** The form of a listing. */
interface Listing {
  /** The path, and further parameters, where they differ. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Omitted: one answer has everything. `size` is omitted where a page has ten entries. */
  readonly pages?: { readonly number: 'p' | 'page'; readonly first: 0 | 1; readonly size?: 'size' };
  /** The members of `data` that have the list and its total; omitted: `data` is the list. */
  readonly items?: 'data';
  readonly total?: 'total_count';
}

const FIXED_SIZE = 10;

/** The place of a restriction in a record. */
interface RestrictionPlace {
  readonly at: readonly [string, ...string[]];
  /** The place of the flag that turns it on; omitted: it is on unless it is empty. */
  readonly switch?: readonly [string, ...string[]];
}

interface Dialect {
  readonly keys: Listing;
  readonly search: Listing;
  /** Omitted: as the contract has it. */
  readonly log?: Listing;
  /** The path of the groups; null where there are none. Omitted: as the contract has it. */
  readonly groups?: string | null;
  /** Omitted: as the contract has it. A text is separated by commas. */
  readonly models?: RestrictionPlace;
  /** The same. `isRange`: each rule must be a range. */
  readonly allowIps?: RestrictionPlace & { readonly isRange?: true };
  readonly nameBytes: number;
  /** Creates at the same time are deadlocks for a MySQL below: each key is stored without a credential first, and that is unique. */
  readonly createsInTurn?: true;
  /** The fields of the contract that records lack, as a profile states them. */
  readonly missing: string;
}

const COUNTED = {
  pages: { number: 'page', first: 1, size: 'size' },
  items: 'data',
  total: 'total_count',
} as const satisfies Listing;
/** Pages without a total are not read: a key that is deleted between two of them would hide another one. A search for any name has all keys of one moment. */
const SEARCHED = { path: '/api/token/search', query: { keyword: '' } } as const satisfies Listing;
/** A search gives all that it finds in one answer. */
const FOUND: Listing = {};
const SMART = 'smart_routing, smart_route_tiers';

const DIALECTS = {
  /** Before version 0.8.4. */
  'new-api': {
    keys: SEARCHED,
    search: FOUND,
    nameBytes: 30,
    missing: `cross_group_retry, ${SMART}`,
  },
  veloera: { keys: SEARCHED, search: FOUND, nameBytes: 30, missing: `cross_group_retry, ${SMART}` },
  'one-api': {
    keys: SEARCHED,
    search: FOUND,
    log: { pages: { number: 'p', first: 0 } },
    groups: null,
    models: { at: ['models'] },
    allowIps: { at: ['subnet'], isRange: true },
    nameBytes: 30,
    missing: `group, cross_group_retry, ${SMART}`,
  },
  'one-hub': {
    keys: COUNTED,
    search: { ...COUNTED, path: '/api/token/' },
    log: COUNTED,
    groups: '/api/user_group_map',
    models: {
      at: ['setting', 'limits', 'limit_model_setting', 'models'],
      switch: ['setting', 'limits', 'limit_model_setting', 'enabled'],
    },
    allowIps: {
      at: ['setting', 'limits', 'limits_ip_setting', 'whitelist'],
      switch: ['setting', 'limits', 'limits_ip_setting', 'enabled'],
    },
    nameBytes: 30,
    createsInTurn: true,
    missing: `cross_group_retry, ${SMART}`,
  },
} as const satisfies Readonly<Record<string, Dialect>>;

export type DialectName = keyof typeof DIALECTS;

export const dialectOf = (name: DialectName): Dialect => DIALECTS[name];

/** The statements of a profile of such a gateway about the settings that it does not keep. */
export const profileOfDialect = (name: DialectName): GatewayProfile => ({
  version: 1,
  level: 'write',
  observed: { 'keys.record.missing-fields': DIALECTS[name].missing },
});

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The query of a page in the parameters of the gateway. */
export function pageQuery(
  { pages, query }: Listing,
  { p, page_size, ...others }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (pages === undefined) return { ...others, ...query };
  const size = pages.size === undefined || page_size === undefined ? {} : { [pages.size]: page_size };
  return { ...others, ...query, [pages.number]: String(Number(p) - 1 + pages.first), ...size };
}

/** The page as the contract has it; undefined where the data has another form. @param size the size that was asked for */
function tryReadPage({ items: at, total, pages }: Listing, data: unknown, size: number): Fields | undefined {
  const items = at === undefined ? data : isObject(data) ? data[at] : undefined;
  if (!Array.isArray(items)) return undefined;
  if (pages === undefined) return { items, total: items.length };
  return {
    items,
    page_size: pages.size === undefined ? FIXED_SIZE : size,
    ...(total === undefined || !isObject(data) ? {} : { total: data[total] }),
  };
}

function valueAt(record: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, member) => (isObject(value) ? value[member] : undefined), record);
}

/** A copy with one member replaced. */
function withValue(record: unknown, [member, ...rest]: readonly string[], value: unknown): Fields {
  const fields = isObject(record) ? record : {};
  if (member === undefined) return fields;
  return { ...fields, [member]: rest.length === 0 ? value : withValue(fields[member], rest, value) };
}

/** The restriction at a place; undefined where the record does not have it in this form. */
function tryReadPlace(
  record: unknown,
  place: RestrictionPlace,
): { isOn: boolean; items: readonly string[] } | undefined {
  const stored = valueAt(record, place.at);
  if (place.switch === undefined) {
    if (stored === undefined || (stored !== null && typeof stored !== 'string')) return undefined;
    const items = (stored ?? '').split(',').filter((item) => item !== '');
    return { isOn: items.length > 0, items };
  }
  const isOn = valueAt(record, place.switch);
  const items = z.array(z.string()).nullable().safeParse(stored);
  return typeof isOn === 'boolean' && items.success ? { isOn, items: items.data ?? [] } : undefined;
}

type MissingPlace = { readonly path: readonly (string | number)[]; readonly message: string };

/** The record with the fields that the contract gives it, next to its own; the issue where it lacks a restriction. */
function readRecord({ models, allowIps }: Dialect, raw: unknown): { record: unknown } | MissingPlace {
  if (!isObject(raw)) return { record: raw };
  let record = raw;
  if (models !== undefined) {
    const found = tryReadPlace(raw, models);
    if (found === undefined) return { path: models.at, message: 'must list the models of the key' };
    record = { ...record, model_limits_enabled: found.isOn, model_limits: found.items.join(',') };
  }
  if (allowIps !== undefined) {
    const found = tryReadPlace(raw, allowIps);
    if (found === undefined) return { path: allowIps.at, message: 'must list the addresses of the key' };
    record = { ...record, allow_ips: found.isOn ? found.items.map((rule) => rule.trim()).join('\n') : '' };
  }
  return { record };
}

/** `data` of one key as the contract has it. */
export const recordIn =
  (dialect: Dialect) =>
  (data: unknown, context: z.RefinementCtx): unknown => {
    const read = readRecord(dialect, data);
    if ('record' in read) return read.record;
    context.addIssue({ code: 'custom', path: [...read.path], message: read.message });
    return z.NEVER;
  };

/** `data` of a page as the contract has it. @param dialect translates the records; omitted: they are as the contract has them */
export const pageIn =
  (listing: Listing, size: number, dialect?: Dialect) =>
  (data: unknown, context: z.RefinementCtx): unknown => {
    const page = tryReadPage(listing, data, size);
    if (page === undefined) {
      context.addIssue({ code: 'custom', message: 'must be a list' });
      return z.NEVER;
    }
    if (dialect === undefined || !Array.isArray(page.items)) return page;
    const items = page.items.map((item: unknown, index): unknown => {
      const read = readRecord(dialect, item);
      if ('record' in read) return read.record;
      context.addIssue({ code: 'custom', path: [index, ...read.path], message: read.message });
      return item;
    });
    return { ...page, items };
  };

const asRange = (rule: string): string => {
  const shortest = shortestIpRule(rule);
  if (shortest.includes('/')) return shortest;
  return `${shortest}/${shortest.includes(':') ? 128 : 32}`;
};

function placeItems(
  record: Fields,
  place: RestrictionPlace,
  { isOn, items }: { isOn: boolean; items: readonly string[] },
): Fields {
  if (place.switch === undefined) return withValue(record, place.at, items.join(','));
  return withValue(withValue(record, place.at, items), place.switch, isOn);
}

/**
 * The body of a create or a full update, with each restriction in the place that the gateway has for it. One that the record
 * already has there stays as it was read.
 */
export function bodyIn(dialect: Dialect, body: Fields): Fields {
  const { models, allowIps } = dialect;
  if (models === undefined || allowIps === undefined) return body;
  const { model_limits_enabled: isOn, model_limits: names, allow_ips: addresses, ...rest } = body;
  let placed: Fields = rest;
  const asRead = readRecord(dialect, rest);
  const before: Fields = 'record' in asRead && isObject(asRead.record) ? asRead.record : {};
  const items = (text: unknown, separator: string): readonly string[] =>
    String(text ?? '')
      .split(separator)
      .filter((item) => item !== '');
  if (before.model_limits_enabled !== isOn || before.model_limits !== names) {
    placed = placeItems(placed, models, { isOn: isOn === true, items: items(names, ',') });
  }
  if (before.allow_ips !== (addresses ?? '')) {
    const rules = items(addresses, '\n').map((rule) => (allowIps.isRange ? asRange(rule) : rule));
    placed = placeItems(placed, allowIps, { isOn: rules.length > 0, items: rules });
  }
  return placed;
}

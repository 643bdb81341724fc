import * as z from 'zod';
import { AnyInteger, nearestQuota } from './integer.ts';

/** `data` of `/api/status`. The rate is deployment configuration: read, never written down. */
export const StatusData = z.lazy(() => z.looseObject({ quota_per_unit: z.number().positive() }));

/** The one field of `/api/user/self` that decides whose keys the access token reads and writes. */
export const SelfOwner = z.lazy(() => z.looseObject({ id: z.int().positive() }));

/** `data` of `/api/user/self`. */
export const SelfData = z.lazy(() =>
  z.looseObject({
    id: z.int().positive(),
    quota: AnyInteger.transform(nearestQuota),
    username: z.string().optional().catch(undefined),
    group: z.string().optional().catch(undefined),
  }),
);
export type SelfData = z.infer<typeof SelfData>;

interface GroupData {
  name: string;
  description?: string;
  ratio?: string;
}

const GroupEntry = z.lazy(() =>
  z.looseObject({
    ratio: z.union([z.number(), z.string()]).nullish(),
    desc: z.string().nullish(),
  }),
);

/** Under one of these a listed group has its name. */
const NAME_FIELDS = ['name', 'group', 'value', 'id', 'key'];

const ListedGroup = z.lazy(() =>
  z.union([z.string(), z.looseObject({})]).transform((item, context) => {
    if (typeof item === 'string') return { name: item };
    const name = NAME_FIELDS.map((field) => item[field]).find((value) => typeof value === 'string' && value !== '');
    if (name !== undefined) return groupFrom(String(name), item);
    context.addIssue({ code: 'custom', message: 'contains no name' });
    return z.NEVER;
  }),
);
const GroupList = z.lazy(() => z.array(ListedGroup));
/** A list that was not read: without this, `groups` would be the only group of the account. */
const isUnread = (data: Readonly<Record<string, unknown>>): boolean => data.groups === null || data.items === null;
const GroupMap = z.lazy(() =>
  z
    .record(z.string(), z.union([GroupEntry, z.string(), z.number(), z.null()]))
    .refine((data) => !isUnread(data), 'contains null instead of a list')
    .transform((data) => Object.entries(data).map(([name, entry]) => groupFrom(name, entry))),
);

/**
 * `data` of `/api/user/self/groups`, whose shape the contract leaves open: a map by name, a list of names or of
 * objects, the list also under `groups` or `items`.
 */
export const GroupsData = z.lazy(() =>
  z.union([
    GroupList,
    z.looseObject({ groups: GroupList }).transform(({ groups }): GroupData[] => groups),
    z.looseObject({ items: GroupList }).transform(({ items }): GroupData[] => items),
    GroupMap,
  ]),
);

function groupFrom(name: string, entry: unknown): GroupData {
  if (entry === null || typeof entry !== 'object') return { name };
  const { desc, ratio } = entry as { desc?: unknown; ratio?: unknown };
  return {
    name,
    ...(typeof desc === 'string' && desc !== '' ? { description: desc } : {}),
    ...(typeof ratio === 'string' || typeof ratio === 'number' ? { ratio: String(ratio) } : {}),
  };
}

const LIKE_A_TOKEN = /^\S{16,}$/;

/** Finds the token within an object: in a field with that name, else the only text that could be one. */
function tokenIn(data: Readonly<Record<string, unknown>>): string | undefined {
  const named = [data.access_token, data.token].find((value) => typeof value === 'string' && value !== '');
  if (typeof named === 'string') return named;
  const texts = Object.values(data).filter((value): value is string => typeof value === 'string');
  const [only, ...others] = texts.filter((text) => LIKE_A_TOKEN.test(text));
  return others.length === 0 ? only : undefined;
}

/**
 * `data` of `/api/user/token`, whose shape the contract leaves open: the bare token, or an object that holds it. Read
 * generously: the token before has ended when this is read, so one that is not recognized is lost.
 */
export const RotatedToken = z.lazy(() =>
  z.union([z.string().min(1), z.looseObject({})]).transform((data, context): string => {
    const token = typeof data === 'string' ? data : tokenIn(data);
    if (token !== undefined) return token;
    context.addIssue({ code: 'custom', message: 'contains no access token' });
    return z.NEVER;
  }),
);

/** Answer of the model listing. */
export const ModelsAnswer = z.lazy(() => z.looseObject({ data: z.array(z.looseObject({ id: z.string().min(1) })) }));

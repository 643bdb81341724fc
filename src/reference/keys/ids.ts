import { z } from 'zod';

const Ids = z.looseObject({ ids: z.array(z.int()) });
const StatusChange = z.looseObject({ id: z.int().positive(), status: z.int() });
const Identified = z.looseObject({ id: z.int().positive() });

/** The `{id}` of a path; undefined when it is not one. */
export const tryReadId = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

/** The body `{ids}`. */
export const tryReadIds = (body: unknown): readonly number[] | undefined => Ids.safeParse(body).data?.ids;

/** The body `{id, status}`. */
export const tryReadStatusChange = (body: unknown): { id: number; status: number } | undefined =>
  StatusChange.safeParse(body).data;

/** The `id` of a full update's body. */
export const tryReadBodyId = (body: unknown): number | undefined => Identified.safeParse(body).data?.id;

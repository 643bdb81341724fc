import * as z from 'zod';
import type { InferenceEndpointName } from './inference-paths.ts';
import { brokenMediaLimits, type KnownMedia, type MediaItem, type MediaSlot } from './media-limits.ts';
import { type BrokenLimit, diagnosticOfLimit, type RequestDiagnostic } from './request-diagnostic.ts';
import { schemaDiagnostics } from './schema-diagnostics.ts';

export type FamilyId =
  | 'chat'
  | 'responses'
  | 'embeddings'
  | 'native-embedding'
  | 'native-embedding-batch'
  | 'token-counting'
  | 'native-image'
  | 'alpha-image'
  | 'beta-image'
  | 'gamma-image'
  | 'alpha-edit'
  | 'beta-edit'
  | 'epsilon-video'
  | 'delta-video'
  | 'asset-video'
  | 'flat-video'
  | 'nested-video'
  | 'download-video'
  | 'dedicated-video';

/** A limit that the schema of one field cannot express: it depends on the model, on another field, or on both. */
export interface Rule<Body> {
  /** The field that it is listed under, and complained of at; empty: the body itself. */
  readonly field: string;
  /** The limit in one line, as it appears in the documentation. */
  readonly limit: string;
  /**
   * Returns what is wrong: broken limits with their own paths, or a message at `field`. Called only with a body that its schema
   * accepts; the model is in the path for some families.
   */
  readonly check: (body: Body, model: string) => readonly BrokenLimit[] | string | undefined;
}

/** The models of a family: these, and whatever else begins so, which gets the limits that are not one model's. */
export interface ModelNames {
  readonly known: readonly string[];
  readonly prefix?: string;
}

/**
 * One kind of request in the contract, as data. The client's refusals, the reference gateway's refusals and
 * `docs/reference/limits.md` derive from it.
 */
export interface Family<Body> {
  readonly id: FamilyId;
  readonly title: string;
  readonly endpoint: InferenceEndpointName;
  readonly form: 'json' | 'multipart';
  /** Absent: any model. */
  readonly models?: ModelNames;
  readonly body: z.ZodType<Body>;
  readonly rules: readonly Rule<Body>[];
  readonly media: readonly MediaSlot<Body>[];
  /** The size of the whole body, as sent. */
  readonly maxBytes?: number;
}

/** A family whose body is not known more closely. */
// biome-ignore lint/suspicious/noExplicitAny: one list holds families of different bodies; each is called only with its own.
export type AnyFamily = Family<any>;

const brokenLimits = <Body>(rule: Rule<Body>, body: Body, model: string): readonly BrokenLimit[] => {
  const found = rule.check(body, model);
  if (found === undefined) return [];
  return typeof found === 'string' ? [{ path: rule.field, message: found }] : found;
};

/** The facts about a request that are not in its body. */
export interface Circumstances {
  /** The model in the path; omitted: it is read from the body. */
  readonly model?: string | undefined;
  /** Absent: nothing is known of any file. */
  readonly knownOf?: (item: MediaItem) => KnownMedia;
}

/**
 * Everything in a request that the contract forbids; empty: it may be sent.
 *
 * Pure. Fields that the contract does not know pass. Files are judged by what `knownOf` returns.
 */
export function requestDiagnostics<Body>(
  family: Family<Body>,
  body: unknown,
  { model, knownOf = () => undefined }: Circumstances = {},
): readonly RequestDiagnostic[] {
  const read = family.body.safeParse(body, { reportInput: true });
  if (!read.success) return schemaDiagnostics(read.error);
  const given = body as Body;
  const named = model ?? String((body as { model?: unknown }).model ?? '');
  const broken = [
    ...family.rules.flatMap((rule) => brokenLimits(rule, given, named)),
    ...family.media.flatMap((slot) => brokenMediaLimits(slot, given, knownOf)),
  ];
  return broken.map(diagnosticOfLimit);
}

/** A field that must not be there, whatever its value. */
export const mustNotBeSent = <Body extends object>(
  field: string,
  limit: string,
  when: (model: string) => boolean = () => true,
): Rule<Body> => ({
  field,
  limit,
  check: (body, model) =>
    when(model) && (body as Record<string, unknown>)[field] !== undefined ? 'must not be sent' : undefined,
});

/** A text of at most so many characters, as people count them. */
export const textUpTo = (characters: number) =>
  z
    .string()
    .refine((text) => text.length <= characters || [...text].length <= characters, {
      message: `too long: at most ${characters} characters`,
    })
    .meta({ maxLength: characters });

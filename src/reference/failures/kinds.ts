import * as z from 'zod';

/** Failures of the connection or of the whole answer, whatever the request is. */
const TRANSPORT_FAILURES = [
  /** Answered later. */
  z.strictObject({ kind: z.literal('delay'), ms: z.int().nonnegative() }),
  /** Held before anything happens, until released. */
  z.strictObject({ kind: z.literal('hold') }),
  /** Carried out; then the answer is held until released. */
  z.strictObject({ kind: z.literal('hold-after') }),
  /** Holds a stream after its first events, until released or disconnected. Any other answer: as `hold-after`. */
  z.strictObject({ kind: z.literal('hold-midway') }),
  z.strictObject({ kind: z.literal('status'), code: z.int().min(200).max(599), message: z.string().optional() }),
  z.strictObject({ kind: z.literal('empty-429'), retryAfter: z.union([z.int(), z.string()]).optional() }),
  /** HTTP 200 with `success` false. */
  z.strictObject({ kind: z.literal('refuse'), message: z.string().default('refused as asked') }),
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).default(502) }),
  /** Closes the connection before anything is done. */
  z.strictObject({ kind: z.literal('cut-before') }),
  /** Closes the connection without an answer, and carries the request out later, when it is released. */
  z.strictObject({ kind: z.literal('cut-and-hold') }),
  /** Carried out; then the connection closes without an answer. */
  z.strictObject({ kind: z.literal('cut-after') }),
  /** Carried out; then half of the answer, whose length or chunks announce all of it. */
  z.strictObject({ kind: z.literal('truncated'), by: z.enum(['length', 'chunks']).default('length') }),
] as const;

const Text = z.strictObject({ kind: z.literal('text'), how: z.enum(['empty', 'half']) });
const Vectors = z.strictObject({
  kind: z.literal('vectors'),
  how: z.enum(['short', 'zero', 'not-finite', 'one-less', 'swapped', 'same']),
});
const UsageFigures = z.strictObject({ kind: z.literal('usage'), how: z.enum(['missing', 'wrong']) });
const Tokens = z.strictObject({ kind: z.literal('tokens'), how: z.enum(['zero', 'constant']) });
const Images = z.strictObject({
  kind: z.literal('pictures'),
  how: z.enum(['flat', 'resized', 'corrupt', 'other-format', 'one-less', 'unchanged']),
});
/** The images are made, and not stored, or stored without a public URL. */
const Storage = z.strictObject({ kind: z.literal('storage'), how: z.enum(['file', 'public-url']) });
const Task = z.strictObject({
  kind: z.literal('task'),
  how: z.enum([
    'stuck',
    'expires',
    'fails',
    'short',
    'resized',
    'corrupt',
    'no-url',
    'lying-callback',
    'no-callback',
    'no-sound',
  ]),
});
const Lenient = z.strictObject({
  kind: z.literal('lenient'),
  rule: z.enum(['model', 'status', 'expiry', 'quota', 'address']),
});

/** Failures of a gateway whose answers are well formed and wrong. */
const SERVING_FAILURES = [
  /** Answered with this JSON; nothing is done or charged. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599).default(200),
    body: z.unknown().nonoptional(),
  }),
  /** Served as if the request lacked the field: `response_format`, `metadata.duration`. */
  z.strictObject({ kind: z.literal('ignore-field'), field: z.string().min(1) }),
  /** Served by another model, which the usage log names. With `admits` the answer names it too. */
  z.strictObject({
    kind: z.literal('substitute-model'),
    model: z.string().min(1),
    admits: z.boolean().default(true),
  }),
  /** A stream ends normally, without the event that marks it as complete. */
  z.strictObject({ kind: z.literal('no-final-event') }),
  Text,
  Vectors,
  UsageFigures,
  Tokens,
  Images,
  Storage,
  Task,
  Lenient,
] as const;

export const InjectedFailure = z.discriminatedUnion('kind', [...TRANSPORT_FAILURES, ...SERVING_FAILURES]);
export type InjectedFailure = z.output<typeof InjectedFailure>;

/** A failure that changes how a request is served, or its answer. */
export type ServingFailure = z.output<(typeof SERVING_FAILURES)[number]>;

export type TextFlaw = z.output<typeof Text>['how'];
export type VectorFlaw = z.output<typeof Vectors>['how'];
export type UsageFlaw = z.output<typeof UsageFigures>['how'];
export type TokenFlaw = z.output<typeof Tokens>['how'];
export type ImageFlaw = z.output<typeof Images>['how'];
export type TaskFlaw = z.output<typeof Task>['how'];
export type LenientRule = z.output<typeof Lenient>['rule'];

const SERVING_KINDS: ReadonlySet<string> = new Set(SERVING_FAILURES.map(({ shape }) => shape.kind.value));

const isServingFailure = (failure: InjectedFailure): failure is ServingFailure => SERVING_KINDS.has(failure.kind);

/** Returns the failure if it is one that acts while the request is served. */
export const asServingFailure = (failure: InjectedFailure | undefined): ServingFailure | undefined =>
  failure && isServingFailure(failure) ? failure : undefined;

import { z } from 'zod';

const Text = z.strictObject({ kind: z.literal('text'), how: z.enum(['empty', 'half']) });
const Vectors = z.strictObject({
  kind: z.literal('vectors'),
  how: z.enum(['short', 'zero', 'not-finite', 'one-less', 'swapped', 'same']),
});
const UsageFigures = z.strictObject({ kind: z.literal('usage'), how: z.enum(['missing', 'wrong']) });
const Tokens = z.strictObject({ kind: z.literal('tokens'), how: z.enum(['zero', 'constant']) });
const Pictures = z.strictObject({
  kind: z.literal('pictures'),
  how: z.enum(['flat', 'resized', 'corrupt', 'other-format', 'one-less', 'unchanged']),
});
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

/** Faults of a gateway that answers in good order, and not with what was asked for. */
export const SERVING_FAILURES = [
  /** Answered with this JSON; nothing is done or charged. */
  z.strictObject({
    kind: z.literal('answer'),
    status: z.int().min(200).max(599).default(200),
    body: z.unknown().nonoptional(),
  }),
  /** Served as if the request did not have the field: `response_format`, `metadata.duration`. */
  z.strictObject({ kind: z.literal('ignore-field'), field: z.string().min(1) }),
  /** Served by another model, which the usage log names; the answer names it where it `admits` it. */
  z.strictObject({
    kind: z.literal('substitute-model'),
    model: z.string().min(1),
    admits: z.boolean().default(true),
  }),
  /** A stream ends in good order without what tells that it is complete. */
  z.strictObject({ kind: z.literal('no-final-event') }),
  Text,
  Vectors,
  UsageFigures,
  Tokens,
  Pictures,
  Task,
  Lenient,
] as const;

const ServingFailure = z.discriminatedUnion('kind', SERVING_FAILURES);
export type ServingFailure = z.output<typeof ServingFailure>;

export type TextFlaw = z.output<typeof Text>['how'];
export type VectorFlaw = z.output<typeof Vectors>['how'];
export type UsageFlaw = z.output<typeof UsageFigures>['how'];
export type TokenFlaw = z.output<typeof Tokens>['how'];
export type PictureFlaw = z.output<typeof Pictures>['how'];
export type TaskFlaw = z.output<typeof Task>['how'];
export type LenientRule = z.output<typeof Lenient>['rule'];

const KINDS: ReadonlySet<string> = new Set(SERVING_FAILURES.map(({ shape }) => shape.kind.value));

/** The failure, when it is one of these. */
export const asServingFailure = (failure: { readonly kind: string } | undefined): ServingFailure | undefined =>
  failure && KINDS.has(failure.kind) ? (failure as ServingFailure) : undefined;

import * as z from 'zod';
import { ifAny } from './tolerant.ts';

/** The error in a body, whichever of its shapes it has. Empty where the body has none. */
export interface ErrorBody {
  readonly code: string;
  readonly type: string;
  /** In any language: for people, not for decisions. */
  readonly message: string;
}

const text = z.union([z.string(), z.number().transform(String)]);
const Inner = z.looseObject({ message: ifAny(text), type: ifAny(text), code: ifAny(text) });

type Inner = z.output<typeof Inner>;

/** The member `error` of a body: an object, a text, a code, or nothing but the fact. */
const Given = z.union([
  Inner,
  z.string().transform((message): Inner => ({ message })),
  z
    .number()
    .refine((code) => code !== 0)
    .transform((code): Inner => ({ code: String(code) })),
  z.literal(true).transform((): Inner => ({})),
]);

/** `{error: {message, type, code}}`, also with `type: error` next to it. Of several errors, the first. */
const Open = z.looseObject({
  error: z.union([Given, z.tuple([Given], z.unknown()).transform(([first]) => first)]),
});
/** The envelope of the System API. */
const Refusal = Inner.extend({ success: z.literal(false) });
/** `{code: 'task_not_exist', message, data: null}`. */
const Coded = z.looseObject({ code: z.string(), message: z.string(), data: z.null().optional() });
/** `{type: 'error', code, message}`: an event of a stream. */
const Typed = Inner.extend({ type: z.literal('error') });

const toErrorBody = ({ code, type, message }: Inner): ErrorBody => ({
  code: code ?? '',
  type: type ?? '',
  message: message ?? '',
});

interface Marks {
  readonly error?: unknown;
  readonly success?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
}

const isObject = (body: unknown): body is Marks => typeof body === 'object' && body !== null;

/**
 * Has the body a member that marks one of the shapes? Most have none, or `error: null`, and a schema takes long to explain why it does
 * not fit.
 */
const hasMark = ({ error, success, type, code }: Marks): boolean =>
  (error !== undefined && error !== null) || success === false || type === 'error' || typeof code === 'string';

/** Extracts the error of a body, whatever the HTTP status; undefined when there is none. Contract: “Errors”. */
export function tryReadErrorBody(body: unknown): ErrorBody | undefined {
  if (!isObject(body) || !hasMark(body)) return undefined;
  const open = Open.safeParse(body);
  if (open.success) return toErrorBody(open.data.error);
  const other = z.union([Refusal, Typed]).safeParse(body);
  if (other.success) return toErrorBody(other.data);
  const coded = Coded.safeParse(body);
  return coded.success && coded.data.code !== 'success' ? toErrorBody(coded.data) : undefined;
}

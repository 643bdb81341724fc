import { z } from 'zod';
import type { Route } from '../server/request-counters.ts';
import { SERVING_FAILURES } from './kinds.ts';

const Kind = z.discriminatedUnion('kind', [
  /** Answered later. */
  z.strictObject({ kind: z.literal('delay'), ms: z.int().nonnegative() }),
  /** Parked before anything happens, until released. */
  z.strictObject({ kind: z.literal('hold') }),
  /** Carried out, then parked before the answer goes out, until released. */
  z.strictObject({ kind: z.literal('hold-after') }),
  /** A stream: parked after its first events, until released or left. Any other answer: as `hold-after`. */
  z.strictObject({ kind: z.literal('hold-midway') }),
  z.strictObject({ kind: z.literal('status'), code: z.int().min(200).max(599), message: z.string().optional() }),
  z.strictObject({ kind: z.literal('empty-429'), retryAfter: z.union([z.int(), z.string()]).optional() }),
  /** HTTP 200 with `success` false. */
  z.strictObject({ kind: z.literal('refuse'), message: z.string().default('refused as asked') }),
  z.strictObject({ kind: z.literal('html'), status: z.int().min(200).max(599).default(502) }),
  /** The connection ends and nothing was done. */
  z.strictObject({ kind: z.literal('cut-before') }),
  /** Carried out, then the connection ends without an answer. */
  z.strictObject({ kind: z.literal('cut-after') }),
  /** Carried out, then half of the answer, promised whole by its length or its chunks. */
  z.strictObject({ kind: z.literal('truncated'), by: z.enum(['length', 'chunks']).default('length') }),
  ...SERVING_FAILURES,
]);

const Scope = z.object({
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional(),
  /** A route's pattern, `/api/token/{id}`; or the beginning of paths, `/api/*` or `/api`. */
  path: z.string().startsWith('/').optional(),
  times: z.int().positive().default(1),
  skip: z.int().nonnegative().default(0),
});

/** A script for the next requests that match. */
export const FailureScript = z.looseObject({ kind: z.string() }).transform((given, context) => {
  const { method, path, times, skip, ...rest } = given;
  const scope = Scope.safeParse({ method, path, times, skip });
  const kind = Kind.safeParse(rest);
  for (const read of [scope, kind]) {
    for (const issue of read.error?.issues ?? []) {
      context.addIssue({ code: 'custom', message: issue.message, path: [...issue.path] });
    }
  }
  if (!scope.success || !kind.success) return z.NEVER;
  return { ...scope.data, failure: kind.data };
});
export type FailureScript = z.output<typeof FailureScript>;
export type InjectedFailure = z.output<typeof Kind>;

/** Faults in the order in which they were scripted. */
export interface FailureScripts {
  add(script: FailureScript): void;
  clear(): void;
  /** What is left to happen. */
  pending(): readonly FailureScript[];
  /** The failure of this request, if any: the first script that matches and has nothing left to skip. Uses it up. */
  take(route: Route, path: string): InjectedFailure | undefined;
}

/** @param isPattern tells a route's pattern from the beginning of a path. */
export function failureScripts(isPattern: (path: string) => boolean): FailureScripts {
  let scripts: FailureScript[] = [];
  const matches = ({ method, path: asked }: FailureScript, route: Route, path: string): boolean => {
    if (method !== undefined && method !== route.method) return false;
    if (asked === undefined) return true;
    if (isPattern(asked)) return asked === route.pattern || asked === route.pattern.replace(/\?.*$/, '');
    return path.startsWith(asked.replace(/\*$/, ''));
  };
  return {
    add: (script) => void scripts.push({ ...script }),
    clear() {
      scripts = [];
    },
    pending: () => scripts,
    take(route, path) {
      for (const script of scripts) {
        if (!matches(script, route, path)) continue;
        if (script.skip > 0) {
          script.skip -= 1;
          continue;
        }
        script.times -= 1;
        if (script.times === 0) scripts = scripts.filter((other) => other !== script);
        return script.failure;
      }
      return undefined;
    },
  };
}

import * as z from 'zod';
import type { Route } from '../server/request-counters.ts';
import { InjectedFailure } from './kinds.ts';

const Scope = z.object({
  method: z
    .string()
    .transform((method) => method.toUpperCase())
    .optional(),
  /** A route's pattern, `/api/token/{id}`, or the beginning of paths, `/api/*` or `/api`. */
  path: z.string().startsWith('/').optional(),
  times: z.int().positive().default(1),
  skip: z.int().nonnegative().default(0),
});

/** A script for the next matching requests. */
export const FailureScript = z.looseObject({ kind: z.string() }).transform((given, context) => {
  const { method, path, times, skip, ...rest } = given;
  const scope = Scope.safeParse({ method, path, times, skip });
  const kind = InjectedFailure.safeParse(rest);
  for (const read of [scope, kind]) {
    for (const issue of read.error?.issues ?? []) {
      context.addIssue({ code: 'custom', message: issue.message, path: [...issue.path] });
    }
  }
  if (!scope.success || !kind.success) return z.NEVER;
  return { ...scope.data, failure: kind.data };
});
export type FailureScript = z.output<typeof FailureScript>;

/** The scripts of a gateway, in the order in which they were added. */
export interface FailureScripts {
  add(script: FailureScript): void;
  clear(): void;
  /** The scripts that still have requests to affect. */
  pending(): readonly FailureScript[];
  /** Returns the failure for this request, if any, and uses it up: the first script that matches and skips nothing more. */
  take(route: Route, path: string): InjectedFailure | undefined;
}

/** @param isPattern distinguishes a route's pattern from the beginning of a path. */
export function failureScripts(isPattern: (path: string) => boolean): FailureScripts {
  let scripts: FailureScript[] = [];
  const matches = ({ method, path: wanted }: FailureScript, route: Route, path: string): boolean => {
    if (method !== undefined && method !== route.method) return false;
    if (wanted === undefined) return true;
    if (isPattern(wanted)) return wanted === route.pattern || wanted === route.pattern.replace(/\?.*$/, '');
    return path.startsWith(wanted.replace(/\*$/, ''));
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

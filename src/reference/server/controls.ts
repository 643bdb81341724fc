import { Fault } from '../../domain/index.ts';
import type { GatewayContext } from '../context.ts';
import { FailureScript, type FailureScripts } from '../failures/scripts.ts';
import type { GatewayControls, ScriptedFailure, Span } from './gateway-controls.ts';
import type { Counters } from './request-counters.ts';

const secondsOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Span): number =>
  ((days * 24 + hours) * 60 + minutes) * 60 + seconds;

interface Controlled {
  readonly context: GatewayContext;
  readonly failures: FailureScripts;
  readonly counters: Counters;
}

function scriptOf(failure: ScriptedFailure): FailureScript {
  const script = FailureScript.safeParse(failure);
  if (script.success) return script.data;
  const problems = script.error.issues.map(({ path, message }) => `${path.join('.') || 'failure'}: ${message}`);
  throw new Fault('usage.invalid', `The failure to inject is invalid: ${problems.join('; ')}.`);
}

/** Returns the controls of a gateway. */
export function controlsOf({ context, failures, counters }: Controlled): GatewayControls {
  const { clock, scheduler } = context;
  return {
    faults: {
      add(...added) {
        for (const script of added.map(scriptOf)) failures.add(script);
      },
      pending: () => failures.pending().length,
      clear: () => failures.clear(),
    },
    clock: {
      now: () => new Date(clock.now() * 1000),
      advance(span) {
        clock.advance(secondsOf(span));
        scheduler.run();
      },
      set(at) {
        clock.set(at.getTime() / 1000);
        scheduler.run();
      },
    },
    requests: {
      counts: () => counters.read(),
      total: () => Object.values(counters.read()).reduce((sum, count) => sum + count, 0),
      reset: () => counters.reset(),
    },
  };
}

import * as z from 'zod';
import type { InferenceEndpointName } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import { type Answer, plainError } from './answer.ts';

/** A part of the machine that can be busier than an administrator allows. */
export const OverloadedPart = z.enum(['cpu', 'memory', 'disk']);
export type OverloadedPart = z.infer<typeof OverloadedPart>;

/** Listing models and video tasks go on under any load. */
const UNCHECKED: ReadonlySet<InferenceEndpointName> = new Set(['models', 'submitVideo', 'videoTask', 'downloadVideo']);

const SETTING = 'overloaded';

export const setOverloaded = ({ ledger }: Pick<GatewayContext, 'ledger'>, part: OverloadedPart | null): void =>
  ledger.storeValue(SETTING, part);

/** Refuses a use while the machine is overloaded: before the credentials are looked at, and at no charge. */
export function refuseOverloaded(context: GatewayContext, endpoint: InferenceEndpointName): Answer | undefined {
  const stored = context.ledger.tryFindValue(SETTING) ?? null;
  if (stored === null || UNCHECKED.has(endpoint)) return undefined;
  const part = OverloadedPart.safeParse(stored).data;
  if (part === undefined) return undefined;
  const requestId = randomText(context.random, REQUEST_ID_LENGTH);
  const code = `system_${part}_overloaded`;
  const message = `system ${part} overloaded`;
  return plainError(503, context.profile.inferenceError({ message, code, requestId, origin: 'relay' }));
}

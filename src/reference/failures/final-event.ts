import { type EventChange, isJsonObject, objectsIn } from './rewriting.ts';

const isTold = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Does it tell that something is complete, or what the whole has cost? In the words of any of the APIs. */
function isFinal(data: unknown): boolean {
  if (data === '[DONE]') return true;
  if (!isJsonObject(data)) return false;
  if (String(data.type ?? '').endsWith('.completed')) return true;
  if (Array.isArray(data.choices) && data.choices.length === 0) return true;
  if (objectsIn(data.choices).some(({ finish_reason: reason }) => isTold(reason))) return true;
  return objectsIn(data.candidates).some(({ finishReason: reason }) => isTold(reason));
}

/** Drops whatever tells that a stream is complete: its end is that of the connection. */
export const dropFinalEvent: EventChange = (data) => (isFinal(data) ? undefined : data);

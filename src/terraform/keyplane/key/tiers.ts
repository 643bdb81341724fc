import { type JsonLoss, lossOfJson } from '../../../domain/index.ts';
import type { Value } from '../../codec/value.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';

/** Smart Routing tiers: JSON that nobody here understands, as text. */

const LOSSES: Readonly<Record<JsonLoss['kind'], (text: string) => DiagnosticContent>> = {
  number: (text) => ({
    summary: `JSON can not hold ${text} exactly`,
    detail: 'Quote it if the gateway takes a text.',
  }),
  member: (text) => ({ summary: `${JSON.stringify(text)} stands twice in one object`, detail: 'Write it once.' }),
};

export function tiersProblems(value: Value): readonly DiagnosticContent[] {
  const text = value as string;
  try {
    if (JSON.parse(text) === null) {
      return [{ summary: 'Tiers are something', detail: 'null can not be stored; write nothing instead.' }];
    }
  } catch {
    // What the parser says quotes a part of the text.
    return [{ summary: 'Not JSON', detail: 'Write it with jsonencode().' }];
  }
  const loss = lossOfJson(text);
  return loss === undefined ? [] : [LOSSES[loss.kind](loss.text)];
}

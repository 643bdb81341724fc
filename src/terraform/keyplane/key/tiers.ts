import { isLosslessNumber, parse } from 'lossless-json';
import {
  canonicalJsonText,
  decimalOf,
  looksLikeCredential,
  renderDecimal,
  tryParseDecimal,
} from '../../../domain/index.ts';
import type { Value } from '../../codec/value.ts';
import type { Problem } from '../../provider/schema.ts';

/** Smart Routing tiers: JSON that nobody here understands, as text. */

/** The first number that JavaScript would round: the gateway would get another than was written. */
function inexactNumber(json: unknown): string | undefined {
  if (isLosslessNumber(json)) {
    const exact = tryParseDecimal(json.value);
    const rounded = Number(json.value);
    const isSame = exact && Number.isFinite(rounded) && renderDecimal(exact) === renderDecimal(decimalOf(rounded));
    return isSame ? undefined : json.value;
  }
  if (typeof json !== 'object' || json === null) return undefined;
  for (const member of Object.values(json)) {
    const found = inexactNumber(member);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function tiersProblems(value: Value): readonly Problem[] {
  const text = value as string;
  try {
    const json = parse(text);
    if (json === null)
      return [{ summary: 'Tiers are something', detail: 'null can not be stored; write nothing instead.' }];
    const inexact = inexactNumber(json);
    if (inexact === undefined) return [];
    return [{ summary: `JSON can not hold ${inexact} exactly`, detail: 'Quote it if the gateway takes a text.' }];
  } catch (thrown) {
    return [
      {
        summary: 'Not JSON',
        detail: `Write it with jsonencode(). ${thrown instanceof Error ? thrown.message : ''}`.trim(),
      },
    ];
  }
}

/** Stored tiers as configuration can say them; null when it can not. */
export function tiersValue(stored: string): string | null {
  return stored !== '' && tiersProblems(stored).length === 0 && !looksLikeCredential(stored)
    ? canonicalJsonText(stored)
    : null;
}

import { isShortened, stemOf, tryParseGeneration } from './generation.ts';
import { matchesAnyGlob, type NameGlob } from './name.ts';
import { isNameBefore, type QuarantineName, tryParseQuarantine } from './quarantine.ts';

const isLiteral = (glob: NameGlob): boolean => !/[*?]/.test(glob);

/**
 * Does a pattern match a live key by its name, or by the declared name whose generation it is, or by the name that it had before
 * its quarantine? A shortened name shows only how that name began: `whenUnsure` decides about patterns that could match the rest of it.
 */
export function matchesKeyGlob(patterns: readonly NameGlob[], name: string, whenUnsure = false): boolean {
  if (matchesAnyGlob(patterns, name)) return true;
  const quarantine = tryParseQuarantine(name);
  if (quarantine) return matchesBefore(patterns, quarantine, whenUnsure);
  const { stem } = tryParseGeneration(name) ?? {};
  return stem !== undefined && matchesPart(patterns, { part: stem, whenUnsure, isOf: (glob) => stemOf(glob) === stem });
}

/**
 * Does one of these patterns protect a live key? Only where no declaration has the whole name, a shortened one may be that of a
 * protected key.
 *
 * @param declared the name under which the key is declared, if it is
 */
export const isProtectedKey = (protect: readonly NameGlob[], name: string, declared: string | undefined): boolean =>
  matchesKeyGlob(protect, name, declared === undefined) ||
  (declared !== undefined && matchesKeyGlob(protect, declared));

/** Matches the name before a quarantine. */
function matchesBefore(patterns: readonly NameGlob[], quarantine: QuarantineName, whenUnsure: boolean): boolean {
  const { inner } = quarantine;
  const isOf = (glob: NameGlob): boolean => isNameBefore(glob, quarantine);
  const part = tryParseGeneration(inner)?.stem ?? inner;
  return matchesAnyGlob(patterns, inner) || matchesPart(patterns, { part, whenUnsure, isOf });
}

interface ShownPart {
  readonly part: string;
  readonly whenUnsure: boolean;
  /** Is a declared name one whose part this is? */
  readonly isOf: (glob: NameGlob) => boolean;
}

function matchesPart(patterns: readonly NameGlob[], { part, whenUnsure, isOf }: ShownPart): boolean {
  if (matchesAnyGlob(patterns, part) || patterns.some((glob) => isLiteral(glob) && isOf(glob))) return true;
  return whenUnsure && isShortened(part) && !patterns.every(isLiteral);
}

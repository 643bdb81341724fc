import type { TranslatedCheck } from './check.ts';

/** The checks of one module, by the name that a person calls it. */
export interface ChecksOf {
  readonly of: string;
  readonly checks: readonly TranslatedCheck[];
}

const LONGEST_NAME = 50;

const stackOf = (folder: string): string => folder.split(/[\\/]/).at(-1) ?? folder;

/** A name that checks of several modules have gets that of its stack before it, unless somebody gave it. */
export function nameChecks(modules: readonly ChecksOf[]): readonly (readonly TranslatedCheck[])[] {
  const uses = modules.flatMap(({ checks }) => [...new Set(checks.map(({ entry }) => entry.name))]);
  const isShared = (name: string): boolean => uses.filter((use) => use === name).length > 1;
  return modules.map(({ of, checks }) =>
    checks.map((check) => {
      const { entry, isNamed } = check;
      if (isNamed || !isShared(entry.name)) return check;
      const name = [...`${stackOf(of)}-${entry.name}`].slice(-LONGEST_NAME).join('').trim();
      return { ...check, entry: { ...entry, name } };
    }),
  );
}

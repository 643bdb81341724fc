import type { TerraformCheck } from './check.ts';

/** The checks of one module, with the name of the module. */
interface ModuleChecks {
  readonly moduleName: string;
  readonly checks: readonly TerraformCheck[];
}

const LONGEST_NAME = 50;

const stackOf = (moduleName: string): string => moduleName.split(/[\\/]/).at(-1) ?? moduleName;

/** Puts the stack before names that several modules use, unless a person or a construct chose the name. */
export function withUniqueNames(modules: readonly ModuleChecks[]): readonly (readonly TerraformCheck[])[] {
  const uses = modules.flatMap(({ checks }) => [...new Set(checks.map(({ spec }) => spec.name))]);
  const isShared = (name: string): boolean => uses.filter((use) => use === name).length > 1;
  return modules.map(({ moduleName, checks }) =>
    checks.map((check) => {
      const { spec, isNamed } = check;
      if (isNamed || !isShared(spec.name)) return check;
      const name = [...`${stackOf(moduleName)}-${spec.name}`].slice(-LONGEST_NAME).join('').trim();
      return { ...check, spec: { ...spec, name } };
    }),
  );
}

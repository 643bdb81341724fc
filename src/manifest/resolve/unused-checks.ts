import { CHECK_CLASSES, kindOfModule } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { DefinedCheck } from './check-spec.ts';

/** A selected class may mean any check, because the class of a module is not known here. */
const selectsClass = (words: ReadonlySet<string>): boolean => CHECK_CLASSES.some((name) => words.has(name));

/** Warns about each check that no key selects. */
export function reportUnused(
  checks: readonly DefinedCheck[],
  selections: ReadonlyMap<string, readonly string[]>,
  report: Report,
): void {
  const words = new Set([...selections.values()].flat());
  if (selectsClass(words)) return;
  for (const { spec, node } of checks) {
    const { name, module } = spec;
    if ([name, module, kindOfModule(module)].some((word) => words.has(word))) continue;
    report.problem({
      severity: 'warning',
      code: 'manifest.unused-check',
      at: node.place,
      message: `No key selects the check \`${name}\`, so it never runs.`,
      found: `no key with \`${name}\` in \`checks\``,
      expected: 'at least one key that selects it',
      hint: `Add \`checks: [${name}]\` to a key or to \`defaults\`.`,
    });
  }
}

import { CHECK_CLASSES, kindOfModule } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { DefinedCheck } from './check-spec.ts';

/** Who selects a class may mean any check: what its class is, is not known here. */
const selectsClass = (words: ReadonlySet<string>): boolean => CHECK_CLASSES.some((name) => words.has(name));

/** Says of each check that no key selects that it will never run. */
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
      found: `\`${name}\` in no \`checks\` of a key`,
      expected: 'a key that it proves something of',
      hint: `Select it: \`checks: [${name}]\` at a key or in \`defaults\`.`,
    });
  }
}

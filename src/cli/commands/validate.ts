import { type Manifest, type ManifestReading, readManifest } from '../../manifest/index.ts';
import { renderNames } from '../output/checks/groups.ts';
import { countDiagnostics, renderDiagnostics } from '../output/diagnostics.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { outdent } from '../output/layout/columns.ts';
import type { Paint } from '../output/layout/paint.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { manifestContext, manifestPaths } from '../session/manifest-input.ts';

/** Validates the manifest and reports every diagnostic, without a gateway. */
export async function validateAction(context: Context): Promise<Result> {
  const { paint, width } = context;
  const paths = manifestPaths(context);
  const reading = await readManifest(paths, await manifestContext(context));
  context.remark(reading, 'silent');
  const frames = renderDiagnostics(reading, { paint: paint.out, width: width.out });
  const { manifest } = reading;
  const verdict = verdictOf(paths.map(printable).join(', '), reading, paint.out);
  const withoutBudget = manifest ? namesWithoutBudget(manifest) : [];
  const remark = withoutBudget.length > 0 ? outdent(budgetRemark(withoutBudget), width.out) : [];
  return {
    exit: manifest ? EXIT.done : EXIT.usage,
    data: manifest
      ? plain({ valid: true, files: manifest.files, keys: manifest.desired.keys.length, withoutBudget })
      : { valid: false },
    text: [...(frames === '' ? [] : [frames, '']), verdict, ...remark].join('\n'),
  };
}

/** Keys adopted by their ID are left out: they exist. Of the others, only the gateway knows which are new. */
const namesWithoutBudget = ({ desired }: Manifest): readonly string[] =>
  desired.keys.filter(({ id, budget }) => id === undefined && budget === undefined).map(({ name }) => name);

/** Not a warning: a manifest need not manage the budget of a key that exists. */
const budgetRemark = (names: readonly string[]): string =>
  `No budget is declared for ${renderNames(names)}. An existing key keeps its budget, but a plan that would create a key without one is refused.`;

function verdictOf(named: string, { manifest, diagnostics }: ManifestReading, paint: Paint): string {
  const problems = countDiagnostics(diagnostics);
  if (!manifest) return `${named}: ${paint.bad(problems ?? 'errors')}`;
  const keys = counted(manifest.desired.keys.length, 'key');
  return `${named}: ${paint.good('valid')}, ${keys}${problems ? `, ${problems}` : ''}`;
}

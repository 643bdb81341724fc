import { judgePolicies, type UnixSeconds } from '../../domain/index.ts';
import { type Manifest, type ManifestReading, readManifest } from '../../manifest/index.ts';
import { renderNames } from '../output/checks/groups.ts';
import { countDiagnostics, renderDiagnostics } from '../output/diagnostics.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { outdent } from '../output/layout/columns.ts';
import type { Paint, TextStyle } from '../output/layout/paint.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text } from '../program/option.ts';
import { manifestContext, manifestPaths } from '../session/manifest-input.ts';
import { readProfile } from '../session/settings.ts';

/** Validates the manifest and reports every diagnostic, without a gateway. */
export async function validateAction(context: Context): Promise<Result> {
  const { paint, width, format } = context;
  const paths = manifestPaths(context);
  const reading = judged(await readManifest(paths, await manifestContext(context)), context.now());
  context.remark(reading, 'silent');
  const { manifest, isRefused } = reading;
  const known = manifest && (await gatewayKnown(context, manifest));
  const withoutBudget = manifest ? namesWithoutBudget(manifest) : [];
  const textIn = (style: TextStyle): string => {
    const frames = renderDiagnostics(reading, style);
    const verdict = verdictOf(paths.map(printable).join(', '), reading, style.paint);
    const remark = withoutBudget.length > 0 ? outdent(budgetRemark(withoutBudget), style.width) : [];
    return [...(frames === '' ? [] : [frames, '']), verdict, ...remark, ...(known?.lines(style.width) ?? [])].join(
      '\n',
    );
  };
  const result = {
    exit: isRefused ? EXIT.refused : manifest ? EXIT.done : EXIT.usage,
    data:
      manifest && !isRefused
        ? plain({
            valid: true,
            files: manifest.files,
            keys: manifest.desired.keys.length,
            withoutBudget,
            ...known?.data,
          })
        : { valid: false },
    text: textIn({ paint: paint.out, width: width.out }),
  };
  // Loaded only where a report is asked for.
  if (format !== 'sarif' && !has(context.given, 'report')) return result;
  const { reported } = await import('./validate-report.ts');
  return await reported(context, result, { diagnostics: reading.diagnostics, textIn });
}

/** A manifest with the rules of policies that its keys break. */
interface JudgedReading extends ManifestReading {
  readonly isRefused: boolean;
}

/** Judges the declared keys by the policies of the manifest and of the command line. */
function judged(reading: ManifestReading, now: UnixSeconds): JudgedReading {
  const { policies = [], keys = [] } = reading.manifest?.desired ?? {};
  const broken = judgePolicies(policies, { keys, all: keys }, { now });
  const isRefused = broken.some(({ severity }) => severity === 'error');
  return { ...reading, diagnostics: [...reading.diagnostics, ...broken], isRefused };
}

/** Keys adopted by their ID are left out: they exist. Of the others, only the gateway knows which are new. */
const namesWithoutBudget = ({ desired }: Manifest): readonly string[] =>
  desired.keys.filter(({ id, budget }) => id === undefined && budget === undefined).map(({ name }) => name);

/** Not a warning: a manifest need not manage the budget of a key that exists. */
const budgetRemark = (names: readonly string[]): string =>
  `No budget is declared for ${renderNames(names)}. An existing key keeps its budget, but a plan that would create a key without one is refused.`;

function verdictOf(named: string, { manifest, diagnostics, isRefused }: JudgedReading, paint: Paint): string {
  const problems = countDiagnostics(diagnostics);
  if (!manifest || isRefused) return `${named}: ${paint.bad(problems ?? 'errors')}`;
  const keys = counted(manifest.desired.keys.length, 'key');
  return `${named}: ${paint.good('valid')}, ${keys}${problems ? `, ${problems}` : ''}`;
}

/** Asks the gateway that was named, or looks into the profile that was chosen. The rooms for it are loaded on use. */
async function gatewayKnown(context: Context, manifest: Manifest) {
  const { given, io } = context;
  const url = text(given, 'url');
  const sources = { given, env: io.env, cwd: io.cwd, manifest: manifest.gateway };
  const profile = await readProfile(sources);
  if (url === undefined && profile === undefined) return undefined;
  const { judgeForGateway } = await import('./validate-gateway.ts');
  return await judgeForGateway(context, manifest, { url, profile, sources });
}

import { Fault, judgePolicies, type UnixSeconds } from '../../domain/index.ts';
import type { GatewayKind } from '../../gateway/index.ts';
import { type Manifest, type ManifestReading, readManifest } from '../../manifest/index.ts';
import { type UnkeptField, unkeptFields } from '../../reconcile/index.ts';
import { renderNames } from '../output/checks/groups.ts';
import { countDiagnostics, renderDiagnostics } from '../output/diagnostics.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { hang, outdent } from '../output/layout/columns.ts';
import type { Paint } from '../output/layout/paint.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text } from '../program/option.ts';
import { checkUrl } from '../session/check-url.ts';
import { manifestContext, manifestPaths } from '../session/manifest-input.ts';
import { connectionSettings, readProfile, type Sources } from '../session/settings.ts';

/** Validates the manifest and reports every diagnostic, without a gateway. */
export async function validateAction(context: Context): Promise<Result> {
  const { paint, width } = context;
  const paths = manifestPaths(context);
  const reading = judged(await readManifest(paths, await manifestContext(context)), context.now());
  context.remark(reading, 'silent');
  const frames = renderDiagnostics(reading, { paint: paint.out, width: width.out });
  const { manifest, isRefused } = reading;
  const verdict = verdictOf(paths.map(printable).join(', '), reading, paint.out);
  const known = manifest ? await gatewayKnown(context, manifest) : {};
  const withoutBudget = manifest ? namesWithoutBudget(manifest) : [];
  const remark = withoutBudget.length > 0 ? outdent(budgetRemark(withoutBudget), width.out) : [];
  return {
    exit: isRefused ? EXIT.refused : manifest ? EXIT.done : EXIT.usage,
    data:
      manifest && !isRefused
        ? plain({ valid: true, files: manifest.files, keys: manifest.desired.keys.length, withoutBudget, ...known })
        : { valid: false },
    text: [...(frames === '' ? [] : [frames, '']), verdict, ...remark, ...gatewayLines(known, width.out)].join('\n'),
  };
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

/** The findings about a gateway that was asked, or whose profile was chosen. */
interface KnownGateway {
  /** Absent: not asked; null: asked and not recognized. */
  readonly gateway?: string | null;
  /** Absent: neither asked nor chosen. */
  readonly notKept?: readonly UnkeptField[];
}

/** The rooms are loaded on use: a run without a gateway needs neither. @throws Fault `usage.invalid`, and those of the connection */
async function gatewayKnown(context: Context, { gateway, desired }: Manifest): Promise<KnownGateway> {
  const { given, io } = context;
  const url = text(given, 'url');
  const sources = { given, env: io.env, cwd: io.cwd, manifest: gateway };
  const profile = await readProfile(sources);
  if (url === undefined && profile === undefined) return {};
  const { unkeptOf } = await import('../../gateway/index.ts');
  const kind = url === undefined ? undefined : await askKind(context, url, sources);
  const unkept = unkeptOf(kind, profile);
  return {
    ...(url === undefined ? {} : { gateway: kind?.title ?? null }),
    notKept: unkept ? unkeptFields(desired, unkept) : [],
  };
}

async function askKind(
  { given, interruption }: Context,
  url: string,
  sources: Sources,
): Promise<GatewayKind | undefined> {
  if (has(given, 'untrusted')) {
    throw new Fault('usage.invalid', '--untrusted and --url exclude each other.', {
      hint: 'A manifest that may come from a stranger is validated without a network.',
    });
  }
  checkUrl(url);
  const { findKind } = await import('../../gateway/index.ts');
  return findKind({ ...(await connectionSettings(sources)), url, signal: interruption.signal });
}

function gatewayLines({ gateway, notKept = [] }: KnownGateway, width: number): readonly string[] {
  const kind = gateway === null ? 'The kind of the gateway is not recognized.' : `The gateway is ${gateway}.`;
  return [
    ...(gateway === undefined ? [] : outdent(printable(kind), width)),
    ...(notKept.length === 0 ? [] : ['Declared fields that the gateway does not keep']),
    ...notKept.flatMap(({ key, problem }) => hang('  - ', `${quoted(key)}: ${printable(problem)}`, width)),
  ];
}

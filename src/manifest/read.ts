import type {
  CheckSpec,
  DesiredState,
  Diagnostic,
  Guardrails,
  KeyName,
  Place,
  Secret,
  UnixSeconds,
  Waiver,
} from '../domain/index.ts';
import { blankSecretLines, blankSecrets, type Collected, collect, type Report } from '../source/index.ts';
import type { ModuleSource } from '../tfjson/index.ts';
import { isManifest, NOT_A_MANIFEST, reportOfForeign, SILENT } from './files/foreign-file.ts';
import { type ReplacedText, reportKnownSecrets, tokensOf, withoutSecrets } from './files/known-secrets.ts';
import { type ManifestText, namedFolder, readSources, type SourceFile } from './files/source-file.ts';
import { type GatewaySection, resolveParts, type Verbatim } from './resolve/desired.ts';
import { partOfModule } from './resolve/terraform-part.ts';
import { reportUnused } from './resolve/unused-checks.ts';
import { type ValidateCheck, validateChecks } from './resolve/validate-checks.ts';
import { type Part, readPart } from './validate/part.ts';
import { treeOf } from './yaml/convert.ts';
import { parseYaml } from './yaml/parse.ts';
import type { ReferenceContext } from './yaml/references.ts';
import { parseableFiles } from './yaml/size.ts';

/** A manifest in normal form. */
export interface Manifest {
  /** The gateway that the manifest names. */
  readonly gateway: GatewaySection;
  /** The declared keys, and what the manifest owns. */
  readonly desired: DesiredState;
  /** The named checks, by name. */
  readonly checks: readonly CheckSpec[];
  /** The audit findings that are accepted for a time. Absent: none. */
  readonly waivers?: readonly Waiver[];
  /** The checks that each key selects: names of checks, modules, kinds, classes. Keys without any are absent. */
  readonly selections: ReadonlyMap<KeyName, readonly string[]>;
  /** `rotate` and `deliver` of each key, verbatim, for writers. Keys without either are absent. */
  readonly verbatim: ReadonlyMap<KeyName, Verbatim>;
  /** The locations of values that came from the environment or a file. */
  readonly references: readonly Place[];
  /** The files it was read from, as places name them. */
  readonly files: readonly string[];
  /** The folder that was named first, or that of the file that was; absolute. What a run keeps next to a manifest is there. */
  readonly folder: string;
}

export interface ManifestReading {
  /** Absent when any diagnostic is an error. */
  readonly manifest?: Manifest;
  /** In the order of files, lines and columns. */
  readonly diagnostics: readonly Diagnostic[];
  /** The text of each file, by its name in places, with secrets blanked. */
  readonly sources: ReadonlyMap<string, string>;
}

export interface ManifestContext {
  readonly env: ReferenceContext['env'];
  /** The variables that `${env:NAME}` may refer to; omitted: none. */
  readonly variables?: readonly string[];
  /** Replace no reference at all. */
  readonly untrusted?: boolean;
  /** Key material that must not occur in the manifest; that in its access token file is known without. */
  readonly secrets?: readonly Secret[];
  readonly cwd: string;
  /** Files of policies that the manifest cannot weaken: each holds `version` and `policy` alone. */
  readonly policies?: readonly string[];
  /** For the warning about expiries in the past. */
  readonly now: UnixSeconds;
  /** Absent: checks are not validated against the gateway’s limits. */
  readonly validateCheck?: ValidateCheck;
  /** Called with the length of all texts together, in characters, before any is parsed. */
  readonly beforeParsing?: (characters: number) => Promise<void>;
}

interface ReadingContext extends ManifestContext {
  readonly onReplaced: (text: ReplacedText) => void;
  /** A file of a policy may hold nothing else. */
  readonly isPolicyFile?: boolean;
}

interface ReadFile {
  readonly parts: readonly Part[];
  readonly faulty: boolean;
  /** Nothing of the file may be shown. */
  readonly isForeign?: true;
}

function readYaml(file: SourceFile, report: Report, context: ReadingContext): ReadFile {
  const { env, variables = [], untrusted = false, now, onReplaced, isPolicyFile = false } = context;
  const isOwn = isManifest(file.text);
  const { documents, placeOf, faulty } = parseYaml(file, { report, isShown: isOwn });
  if (documents.length === 0 && !faulty) {
    report.problem({
      code: 'manifest.missing-field',
      at: placeOf(0, 0),
      message: 'The file is empty.',
      found: file.text.trim() === '' ? 'an empty file' : 'only comments',
      expected: '`version: 1`',
      hint: 'Pass other files if this one should be empty. Keys that were declared here would count as removed.',
    });
  }
  const references = { env, variables, untrusted, folder: file.folder };
  const parts = documents.flatMap((document) => {
    const node = treeOf(document.contents, { references, report: isOwn ? report : SILENT, placeOf, onReplaced });
    // A broken root was reported to nobody.
    if (!isOwn && node.kind !== 'map') {
      report.problem({ ...NOT_A_MANIFEST, at: node.place });
      return [];
    }
    const part = readPart(node, {
      folder: file.folder,
      report: isOwn ? report : reportOfForeign(report),
      now,
      isPolicyFile,
    });
    return part ? [part] : [];
  });
  return { parts, faulty, ...(isOwn ? {} : { isForeign: true }) };
}

interface TerraformModuleFiles extends ModuleSource {
  readonly files: readonly SourceFile[];
}

/** The Terraform modules that the files belong to, in the order of their first files. */
function modulesOf(files: readonly SourceFile[]): readonly TerraformModuleFiles[] {
  const modules = new Map<string, TerraformModuleFiles>();
  for (const file of files) {
    if (!file.module) continue;
    const known = modules.get(file.module.folder);
    modules.set(file.module.folder, { ...file.module, files: [...(known?.files ?? []), file] });
  }
  return [...modules.values()];
}

const UNREAD: ReadFile = { parts: [], faulty: true, isForeign: true };

/** The reader of Terraform JSON is half of what reads manifests, and most have none. */
async function readTerraform(modules: readonly TerraformModuleFiles[], report: Report, { env, now }: ReadingContext) {
  const { readModules } = await import('../tfjson/index.ts');
  return readModules(modules, { report, env, now });
}

/** Reads each file separately, and the files of a Terraform module together, as the first of them. */
async function readFiles(
  files: readonly SourceFile[],
  report: Report,
  context: ReadingContext,
): Promise<readonly ReadFile[]> {
  const parseable = parseableFiles(files, report);
  const modules = modulesOf(files).filter((module) => module.files.every((file) => parseable.has(file)));
  const read = modules.length === 0 ? [] : await readTerraform(modules, report, context);
  return files.map((file) => {
    if (!parseable.has(file)) return UNREAD;
    if (!file.module) return readYaml(file, report, context);
    const module = modules.findIndex(({ folder }) => folder === file.module?.folder);
    const part = modules[module]?.files[0] === file ? read[module] : undefined;
    return { parts: part ? [partOfModule(part)] : [], faulty: read[module] === undefined };
  });
}

/** Reports a file that was given as a policy and has none: it would forbid nothing. */
function reportNoPolicy(file: SourceFile, report: Report): void {
  report.problem({
    code: 'manifest.missing-field',
    at: { file: file.name, line: 1, column: 1 },
    message: 'The file has no policy.',
    found: file.module ? 'Terraform JSON' : 'a file without `policy`',
    expected: '`version: 1` and `policy`',
    hint: 'docs/policy.md shows a policy file.',
  });
}

/** Reads files that hold policies alone, without references: the environment of a run must not decide what is forbidden. */
async function readPolicyFiles(paths: readonly string[], report: Report, context: ManifestContext) {
  const { cwd, now } = context;
  const files = paths.length === 0 ? [] : await readSources(paths, { cwd, report });
  const strict = { env: {}, untrusted: true, cwd, now, isPolicyFile: true, onReplaced: () => {} };
  const parseable = parseableFiles(files, report);
  const read = files.map((file) => (parseable.has(file) && !file.module ? readYaml(file, report, strict) : UNREAD));
  const rules = read.flatMap(({ parts }) => parts.flatMap(({ policy }) => policy ?? []));
  files.forEach((file, i) => {
    if (read[i]?.parts.every(({ hasPolicy }) => !hasPolicy)) reportNoPolicy(file, report);
  });
  return { files, read, rules };
}

/** The text of a file, with secrets blanked; undefined when nothing of it may be shown. */
function shownText(file: SourceFile, { faulty, isForeign }: ReadFile, report: Collected): string | undefined {
  if (isForeign) return undefined;
  const shown = blankSecrets(file.text, report.hidden(file.name));
  return faulty ? blankSecretLines(shown) : shown;
}

/** Reports a run without paths: that must not count as an empty manifest. */
function reportNoPaths(report: Collected, cwd: string): void {
  report.problem({
    code: 'manifest.no-files',
    at: { file: cwd, line: 1, column: 1 },
    message: 'No manifest was given.',
    found: 'no path',
    expected: 'at least one file or folder',
    hint: 'Pass a file or a folder.',
  });
}

/**
 * Reads a manifest from files, folders and texts, which are merged.
 *
 * Collects every diagnostic in one pass, and throws nothing for what the user wrote. Reads only the given files, those
 * that `${file:path}` names, and the given environment; sends no request. No diagnostic or source contains a value from
 * the environment or from a referenced file.
 */
export async function readManifest(
  inputs: readonly (string | ManifestText)[],
  context: ManifestContext,
): Promise<ManifestReading> {
  const names: string[] = [];
  const report = collect(() => names);
  if (inputs.length === 0) reportNoPaths(report, context.cwd);
  const files = await readSources(inputs, { cwd: context.cwd, report });
  names.push(...files.map((file) => file.name));
  await context.beforeParsing?.(files.reduce((sum, { text }) => sum + text.length, 0));
  const policies = await readPolicyFiles(context.policies ?? [], report, context);
  names.push(...policies.files.map(({ name }) => name));
  const secrets = [...(context.secrets ?? []), ...tokensOf(files)];
  const replaced: ReplacedText[] = [];
  const read = await readFiles(files, report, { ...context, onReplaced: (text) => replaced.push(text) });
  reportKnownSecrets({ files, replaced }, secrets, report);
  const parts = read.flatMap((file) => file.parts);
  const { checks, ...own } = resolveParts(parts, report);
  const resolved = { ...own, desired: withPolicies(own.desired, policies.rules) };
  if (context.validateCheck) {
    const declared = [...new Set(resolved.desired.keys.flatMap(({ models }) => models ?? []))];
    await validateChecks(checks, { validateCheck: context.validateCheck, declared }, report);
  }
  // Not in addition to errors: a misspelt selection is the cause of an unused check.
  if (!report.hasErrors() && resolved.desired.keys.length > 0) reportUnused(checks, resolved.selections, report);
  const shown = [...files, ...policies.files].map(
    (file, i) => [file.name, shownText(file, [...read, ...policies.read][i] ?? UNREAD, report)] as const,
  );
  const sources = new Map(shown.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
  const diagnostics = report.diagnostics().map((diagnostic) => withoutSecrets(diagnostic, secrets));
  if (report.hasErrors()) return { diagnostics, sources };
  const specs = checks.map(({ spec }) => spec);
  const folder = await namedFolder(inputs[0], context.cwd);
  const manifest: Manifest = { ...resolved, checks: specs, files: files.map(({ name }) => name), folder };
  VALID.add(manifest);
  return { manifest, diagnostics, sources };
}

/** Adds policies to those of the manifest: each holds on its own. */
export const withPolicies = (desired: DesiredState, policies: readonly Guardrails[]): DesiredState =>
  policies.length === 0 ? desired : { ...desired, policies: [...(desired.policies ?? []), ...policies] };

/**
 * Reads the files of policies that are not part of a manifest. Collects diagnostics as {@link readManifest} does.
 *
 * @returns `policies` is absent when any diagnostic is an error
 */
export async function readPolicies(
  paths: readonly string[],
  context: Pick<ManifestContext, 'cwd' | 'now'>,
): Promise<Omit<ManifestReading, 'manifest'> & { readonly policies?: readonly Guardrails[] }> {
  const names: string[] = [];
  const report = collect(() => names);
  const { files, read, rules } = await readPolicyFiles(paths, report, { ...context, env: {} });
  names.push(...files.map(({ name }) => name));
  const shown = files.map((file, i) => [file.name, shownText(file, read[i] ?? UNREAD, report)] as const);
  const sources = new Map(shown.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
  const diagnostics = report.diagnostics();
  return { diagnostics, sources, ...(report.hasErrors() ? {} : { policies: rules }) };
}

/** The manifests that were validated. Identity is the proof: a copy may have been edited. */
const VALID = new WeakSet<Manifest>();

/** Returns true for a manifest that {@link readManifest} has read, and false for any copy of it. */
export const isValidated = (manifest: Manifest): boolean => VALID.has(manifest);

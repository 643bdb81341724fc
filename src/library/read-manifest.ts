import { type Diagnostic, Fault, type ManifestRef, type Place } from '../domain/index.ts';
import type { Manifest, ManifestContext, ManifestText } from '../manifest/index.ts';
import { documentOf } from './document.ts';
import type { KeyplaneManifest } from './gen/manifest.ts';
import { freeze } from './issued.ts';
import type { DateClock } from './options.ts';

/** A manifest as an object. */
export type ManifestDocument = ReadonlyData<
  Omit<KeyplaneManifest, 'version'> & Partial<Pick<KeyplaneManifest, 'version'>>
>;

type ReadonlyData<T> = T extends Date ? T : T extends object ? { readonly [K in keyof T]: ReadonlyData<T[K]> } : T;

/** The options of reading a manifest. */
export interface ManifestOptions {
  /** The folder that relative paths start from. Default: the working folder. */
  readonly folder?: string;
  /** The values of `${env:NAME}`. Default: none; a manifest never reads the environment by itself. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Files of policies that the manifest cannot weaken, in addition to its own. Runs refuse keys that break a rule. */
  readonly policies?: readonly string[];
  /** For the warning about expiries in the past. Default: the time of this machine. */
  readonly clock?: DateClock;
  /** Called with every diagnostic that is not an error. */
  readonly onWarning?: (diagnostic: Diagnostic) => void;
}

const MOST_LINES = 5;

/** `keyplane.yaml:4:9: Unknown field …` */
function lineOf({ message, place, found, expected }: Diagnostic, named: (place: Place) => string): string {
  const where = place ? `${named(place)}: ` : '';
  const what = [found && `found ${found}`, expected && `expected ${expected}`].filter(Boolean).join(', ');
  return `- ${where}${message}${what === '' ? '' : ` (${what})`}`;
}

const positionOf = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

function invalid(diagnostics: readonly Diagnostic[], named: (place: Place) => string): Fault {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const more = errors.length > MOST_LINES ? [`- and ${errors.length - MOST_LINES} more`] : [];
  const lines = errors.slice(0, MOST_LINES).map((each) => lineOf(each, named));
  return new Fault('manifest.invalid', ['The manifest is invalid:', ...lines, ...more].join('\n'), {
    detail: { diagnostics },
    hint: errors[0]?.hint,
  });
}

async function read(
  inputs: readonly (string | ManifestText)[],
  { folder = process.cwd(), variables = {}, policies = [], clock, onWarning }: ManifestOptions,
  named: (place: Place) => string = positionOf,
): Promise<Manifest> {
  const { readManifest } = await import('../manifest/index.ts');
  const context: ManifestContext = {
    env: variables,
    variables: Object.keys(variables),
    cwd: folder,
    policies,
    now: Math.floor((clock?.now() ?? new Date()).getTime() / 1000),
    validateCheck: async (spec, declared) => (await import('../checks/index.ts')).validateCheck(spec, declared),
  };
  const { manifest, diagnostics } = await readManifest(inputs, context);
  if (!manifest) throw invalid(diagnostics, named);
  for (const diagnostic of diagnostics) onWarning?.(diagnostic);
  freeze(manifest.desired);
  return Object.freeze(manifest);
}

/**
 * Reads a manifest from files and folders, which are merged: YAML, JSON, and the keys of Terraform JSON.
 *
 * @throws KeyplaneError `manifest.invalid`; `detail.diagnostics` has every diagnostic, with its place.
 */
export const loadManifest = (paths: string | readonly string[], options: ManifestOptions = {}): Promise<Manifest> =>
  read(typeof paths === 'string' ? [paths] : paths, options);

/** Reads a manifest from the text of one file, YAML or JSON. Throws as {@link loadManifest} does. */
export const parseManifest = (text: string, options: ManifestOptions = {}): Promise<Manifest> =>
  read([{ name: 'manifest', text, folder: options.folder ?? process.cwd() }], options);

/**
 * Reads a manifest from an object with the words of YAML. Dates are instants. Throws as {@link loadManifest} does; a place is
 * named by its path, such as `keys.prod-a.budget.usd`.
 */
export async function defineManifest(document: ManifestDocument, options: ManifestOptions = {}): Promise<Manifest> {
  // Nothing, or a list, would be a manifest without keys.
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Fault('manifest.invalid', 'The manifest is invalid:\n- the manifest: Expected an object.');
  }
  const { text, pathAt } = documentOf({ version: 1, ...document });
  const folder = options.folder ?? process.cwd();
  return await read([{ name: 'manifest', text, folder }], options, ({ line }) => pathAt(line));
}

/** @throws Fault `manifest.invalid` for an object that no manifest was read to */
export async function ensureValidated(manifest: Manifest): Promise<void> {
  const { isValidated } = await import('../manifest/index.ts');
  if (isValidated(manifest)) return;
  throw new Fault('manifest.invalid', 'This object is not a manifest that Keyplane has read.', {
    hint: 'Use the object that reading a manifest returned. A copy of it was not validated.',
  });
}

/** Returns the reference to a manifest in a plan. @throws Fault as {@link ensureValidated} */
export async function refManifest(manifest: Manifest): Promise<ManifestRef> {
  await ensureValidated(manifest);
  const { manifestDigest } = await import('../manifest/index.ts');
  return { digest: manifestDigest(manifest) };
}

import { resolve } from 'node:path';
import { unwritable, writeWhole } from '../../disk/index.ts';
import {
  asFault,
  type DesiredKey,
  Fault,
  type Json,
  type ObservedKey,
  type Place,
  renderInstant,
} from '../../domain/index.ts';
import { declareDisabled, type Manifest } from '../../manifest/index.ts';
import { MOST_BYTES, readBoundedText } from '../../source/index.ts';
import { plain } from '../output/json/envelope.ts';
import { renderLine } from '../output/layout/place.ts';
import { printable, quoted, shortened } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { text } from '../program/option.ts';
import { declarationsOf } from '../session/declarations.ts';

/** The state of a declaration after its key was disabled by hand. */
export interface DeclarationEdit {
  readonly name: string;
  readonly state: 'written' | 'offered' | 'failed' | 'undeclared' | 'declared';
  readonly message: string;
  readonly place?: Place;
  readonly fault?: Fault;
}

const LINE = '`enabled: false`';
const LONGEST_REASON = 200;

/** The line above a revoked key; undefined without `--reason`. @throws Fault `usage.invalid` */
export function reasonComment({ given, now }: Pick<Context, 'given' | 'now'>): string | undefined {
  const reason = text(given, 'reason');
  if (reason === undefined) return undefined;
  if (reason.trim() !== '') {
    return `Revoked ${renderInstant(now()).slice(0, 10)}: ${shortened(printable(reason.trim()), LONGEST_REASON)}`;
  }
  throw new Fault('usage.invalid', '--reason is empty.', {
    hint: 'State why the key is revoked: --reason "leaked in CI".',
  });
}

const isGenerated = ({ file, construct }: Place): boolean => construct !== undefined || file.endsWith('.tf.json');

async function write(context: Context, place: Place, comment: string | undefined): Promise<void> {
  const path = resolve(context.io.cwd, place.file);
  const before = await readBoundedText(path, MOST_BYTES.terraformJson).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  const after = declareDisabled(before, { place, comment });
  if (after !== undefined) return await writeWhole(path, after);
  throw new Fault('file.unwritable', `${renderLine(place)} cannot be edited safely.`, {
    hint: `Write ${LINE} for the key there.`,
  });
}

interface Wanted {
  readonly writes: boolean;
  readonly comment: string | undefined;
}

async function editOne(
  context: Context,
  { name, place }: DesiredKey,
  { writes, comment }: Wanted,
): Promise<DeclarationEdit> {
  if (!place) return { name, state: 'undeclared', message: `Declare ${quoted(name)} with ${LINE}.` };
  const where = `${renderLine(place)} declares ${quoted(name)} enabled`;
  if (isGenerated(place)) {
    return {
      name,
      place,
      state: 'offered',
      message: `${where}. Set \`enabled\` to false there, or in the program that writes the file.`,
    };
  }
  if (!writes) return { name, place, state: 'offered', message: `${where}. Write ${LINE} there, or add --write.` };
  try {
    await write(context, place, comment);
    return { name, place, state: 'written', message: `${renderLine(place)}: wrote ${LINE} for ${quoted(name)}.` };
  } catch (thrown) {
    const fault = asFault(thrown);
    return { name, place, state: 'failed', message: `${where}: ${printable(fault.message)}`, fault };
  }
}

/** The keys are disabled already, which the advice of the fault about the manifest does not know. */
const unread = (name: string, invalid: Fault): Fault =>
  new Fault('manifest.invalid', `${quoted(name)} could not be declared disabled. ${invalid.message}`, {
    hint: `Correct the manifest, and write ${LINE} for the key.`,
    cause: invalid,
  });

interface DisabledKeys {
  readonly manifest: Manifest | undefined;
  /** The reason why the manifest could not be read. */
  readonly invalid: Fault | undefined;
  /** Without old generations: their successors work on. */
  readonly keys: readonly ObservedKey[];
}

/** Later lines first: an edit moves the lines after it. */
const fromTheEnd = (a: DesiredKey, b: DesiredKey): number => (b.place?.line ?? 0) - (a.place?.line ?? 0);

/**
 * Declares keys disabled that a command has disabled: edits their lines, or names the lines to edit. Never throws: the keys
 * are disabled, and that must be reported.
 */
export async function declareKeysDisabled(
  context: Context,
  { manifest, invalid, keys }: DisabledKeys,
  wanted: Wanted,
): Promise<readonly DeclarationEdit[]> {
  const { of } = declarationsOf(manifest?.desired);
  const declared = [...new Set(keys.flatMap((key) => of(key) ?? []))];
  const edits: DeclarationEdit[] = [];
  for (const key of declared.filter(({ enabled }) => enabled !== false).sort(fromTheEnd)) {
    edits.push(await editOne(context, key, wanted));
  }
  if (!wanted.writes) return edits;
  const missing = keys.filter((key) => of(key) === undefined);
  const elsewhere = missing.map(({ name }): DeclarationEdit => {
    const message = `No manifest that was read declares ${quoted(name)}. Write ${LINE} where it is declared.`;
    return invalid
      ? { name, state: 'failed', message, fault: unread(name, invalid) }
      : { name, state: 'undeclared', message };
  });
  return [...edits, ...elsewhere];
}

/** An edit as machines read it. */
export const declarationData = ({ name, state, place, message }: DeclarationEdit): Json =>
  plain({ name, state, message, place });

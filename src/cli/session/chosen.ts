import { Fault } from '../../domain/index.ts';
import { printable } from '../output/layout/printable.ts';

/** The sources of a setting, in their order of precedence. */
export type SettingSource = 'flag' | 'environment' | 'manifest';

/** A setting, and where it came from: how far it is trusted depends on that. */
export interface Chosen<T> {
  readonly value: T;
  readonly source: SettingSource | 'gateway';
  /** The name of the flag, the variable or the field. */
  readonly from: string;
}

interface Candidates<T> {
  readonly flag?: T | undefined;
  readonly environment?: T | undefined;
  readonly manifest?: T | undefined;
}

interface SettingNames extends Readonly<Record<SettingSource, string>> {
  /** The kind of thing that two different values name, in the plural. */
  readonly things: string;
}

/**
 * Chooses the flag, else the variable, else the field of the manifest.
 *
 * @param isSame whether two values are two spellings of one.
 * @throws Fault `settings.conflicting` when the variable and the manifest differ and no flag decides: whichever won, somebody would
 * change the wrong account.
 */
export function choose<T>(
  { flag, environment, manifest }: Candidates<T>,
  names: SettingNames,
  isSame: (a: T, b: T) => boolean,
): Chosen<T> | undefined {
  if (flag !== undefined) return { value: flag, source: 'flag', from: names.flag };
  if (environment !== undefined && manifest !== undefined && !isSame(environment, manifest)) {
    const [variable, field] = [printable(String(environment)), printable(String(manifest))];
    throw new Fault(
      'settings.conflicting',
      `${names.environment} is ${variable}, but ${names.manifest} in the manifest is ${field}: these are different ${names.things}.`,
      { hint: `Pass ${names.flag} to choose one for this run, or correct the variable or the manifest.` },
    );
  }
  if (environment !== undefined) return { value: environment, source: 'environment', from: names.environment };
  return manifest === undefined ? undefined : { value: manifest, source: 'manifest', from: names.manifest };
}

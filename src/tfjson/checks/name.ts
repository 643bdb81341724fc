import { CHECK_MODULES, looksLikeCredential, type Place, RESERVED_CHECK_NAMES } from '../../domain/index.ts';
import { stringIn } from '../json/node.ts';
import { ownComment } from '../module/block.ts';
import type { Instance } from '../module/instance.ts';
import { type Resolver, reportSecret, resolve } from '../module/resolve.ts';

const MODULES: readonly string[] = Object.values(CHECK_MODULES).flat();
const LONGEST_NAME = 50;

/** The end of a long name matters most. */
export const shortened = (name: string): string => [...name].slice(-LONGEST_NAME).join('').trim();

/** The name of its block. A name that a selection could misunderstand gets a suffix. */
function defaultName({ declared, address }: Instance, module: string | undefined): string {
  const suffix = address.slice(declared.address.length).replace(/[[\]"]/g, '');
  const name = suffix === '' ? declared.name : `${declared.name}-${suffix}`;
  const isTaken = RESERVED_CHECK_NAMES.includes(name) || (MODULES.includes(name) && module !== name);
  return isTaken ? `${name}-check` : name;
}

interface CheckName {
  readonly name: string;
  readonly at: Place;
  /** False for the name of the block. */
  readonly isNamed: boolean;
}

/** The name that a person or a construct has given to a check, or else that of its block. */
export function nameOf(instance: Instance, module: string | undefined, resolver: Resolver): CheckName {
  const { body, at } = instance.declared;
  const comment = ownComment(body, 'name');
  const named = comment && resolve(comment, resolver);
  const own = stringIn(named);
  if (named && own !== undefined) return { name: own, at: named.place, isNamed: true };
  const name = defaultName(instance, module);
  // A part of a secret is a secret too.
  if (looksLikeCredential(name)) reportSecret('what looks like a credential', at, resolver.report);
  return { name: shortened(name), at: named?.place ?? at, isNamed: false };
}

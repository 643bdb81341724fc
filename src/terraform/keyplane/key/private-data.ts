import type { NameOrigin } from '../../../domain/index.ts';
import type { ResourceInstance } from '../../provider/definition.ts';
import type { Client } from '../client.ts';

/** A successor, or the end of a former generation. */
export type RotationPart = 'successor' | 'end';

/** The private data of a key, which core stores next to its state. */
export interface PrivateData {
  readonly userId: number;
  readonly url: string;
  /** The key was imported and never changed since: nobody declared the values in its state. */
  readonly imported?: true;
  /** The budget in the state is not the declared one, but what the gateway had at the last refresh. */
  readonly budgetDrifted?: true;
  /** The last refresh found a change to make that no attribute shows, such as a refill. */
  readonly due?: true;
  /** The attributes of restrictions that the configuration declared at the last apply. */
  readonly declared?: readonly string[];
  /** The name that the key was created with, and the time of its first rename. Only of keys with an allowance for each window. */
  readonly origin?: NameOrigin;
  /** No request has shown yet that the secret of this generation works. */
  readonly unproven?: true;
  /** The parts of a rotation that the last refresh found due. */
  readonly rotationDue?: readonly RotationPart[];
  /** The IDs of the generations of a key that rotates. */
  readonly generations?: readonly number[];
}

export const privateOf = ({ private: data }: ResourceInstance): Partial<PrivateData> => data ?? {};

export const privateFor = (
  { store }: Client,
  more: Omit<PrivateData, 'userId' | 'url'> = {},
): { readonly private: Record<string, unknown> } => ({ private: { ...store.account, ...more } satisfies PrivateData });

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isMark = (value: unknown): boolean => value === true;
const isListOf =
  (isMember: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(isMember);

function isOrigin(value: unknown): boolean {
  const { name, until }: Partial<Record<keyof NameOrigin, unknown>> = Object(value);
  return isText(name) && (until === undefined || isNumber(until));
}

/** Newer versions may store other fields, and other parts of a rotation. */
const IS_STORED: { readonly [F in keyof PrivateData]-?: (value: unknown) => boolean } = {
  userId: isNumber,
  url: isText,
  imported: isMark,
  budgetDrifted: isMark,
  due: isMark,
  declared: isListOf(isText),
  origin: isOrigin,
  unproven: isMark,
  rotationDue: isListOf(isText),
  generations: isListOf(isNumber),
};

/** Finds a part of a stored key that no version has written so. The user and the gateway decide whose key it is. */
export function damageOf(instance: ResourceInstance): string | undefined {
  const { id = null } = instance.state;
  if (id !== null && !(Number.isSafeInteger(id) && Number(id) > 0)) return 'id: not the ID of a key';
  const stored: Partial<Record<string, unknown>> = privateOf(instance);
  const broken = Object.entries(IS_STORED).find(([name, is]) => stored[name] !== undefined && !is(stored[name]));
  return broken && `private: invalid \`${broken[0]}\``;
}

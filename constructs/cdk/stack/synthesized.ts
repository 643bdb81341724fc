import {
  DefaultTokenResolver,
  StringConcat,
  TerraformDataSource,
  type TerraformElement,
  TerraformResource,
  TerraformStack,
  Tokenization,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import { isUnresolved, unescaped } from '../values/unresolved.ts';

/** The attributes of a block as Terraform is given them: by its names, and with all that was overridden. */
export interface KeyAttributes {
  readonly [attribute: string]: unknown;
}

/** One block of a stack’s configuration. */
export interface Written {
  /** The path of its construct; of one that only an override has put there, that of the stack and its address. */
  readonly path: string;
  /** The construct; the stack of one that has none. */
  readonly construct: IConstruct;
  readonly attributes: KeyAttributes;
}

/** A kind of blocks that is judged. A data source of a key has the type of a key, and is none. */
interface Kind {
  readonly type: string;
  isA(construct: IConstruct): construct is TerraformElement;
}

const KEY_TYPE = 'keyplane_api_key';
const CHECK_TYPE = 'keyplane_check';

export const isKeyResource = (construct: IConstruct): construct is TerraformResource =>
  TerraformResource.isTerraformResource(construct) && construct.terraformResourceType === KEY_TYPE;

const isCheckSource = (construct: IConstruct): construct is TerraformDataSource =>
  TerraformDataSource.isTerraformDataSource(construct) && construct.terraformResourceType === CHECK_TYPE;

export const KEYS: Kind = { type: KEY_TYPE, isA: isKeyResource };
export const CHECKS: Kind = { type: CHECK_TYPE, isA: isCheckSource };

/** Every key below a construct, made by whichever class. */
export const keyResources = (scope: IConstruct): readonly TerraformResource[] =>
  scope.node.findAll().filter(isKeyResource);

const RESOLVER = new DefaultTokenResolver(new StringConcat());

/** What Terraform has to fill in stands there in its notation afterwards. */
export const resolved = (construct: IConstruct, value: unknown): unknown =>
  Tokenization.resolve(value, { scope: TerraformStack.of(construct), preparing: false, resolver: RESOLVER });

/** The name alone: resolving all of every key of an app takes most of a synthesis. */
export function tryNameOf(resource: TerraformResource): string | undefined {
  const { name } = resource.toTerraform().resource?.[KEY_TYPE]?.[resource.friendlyUniqueId] ?? {};
  const known = resolved(resource, name);
  return typeof known === 'string' && !isUnresolved(known) ? unescaped(known) : undefined;
}

interface Configuration {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, KeyAttributes>>>>;
  readonly data?: Configuration['resource'];
}

/** The constructs of a kind in a stack, each with what Terraform calls it: two may be called the same. */
export const labelled = (stack: TerraformStack, { isA }: Kind) =>
  stack.node
    .findAll()
    .filter(isA)
    .map((construct) => ({ construct, label: construct.friendlyUniqueId }));

/** All keys and all checks of a stack, as they will be written. */
export function writtenIn(stack: TerraformStack): {
  readonly keys: readonly Written[];
  readonly checks: readonly Written[];
} {
  const configuration = resolved(stack, stack.toTerraform()) as Configuration;
  const blocksOf = (blocks: Configuration['resource'], kind: Kind): readonly Written[] => {
    const constructs = new Map(labelled(stack, kind).map(({ construct, label }) => [label, construct]));
    return Object.entries(blocks?.[kind.type] ?? {}).map(([label, attributes]) => {
      const construct = constructs.get(label);
      const path = construct?.node.path ?? `${stack.node.path}: ${kind.type}.${label}`;
      return { path, construct: construct ?? stack, attributes };
    });
  };
  return { keys: blocksOf(configuration.resource, KEYS), checks: blocksOf(configuration.data, CHECKS) };
}

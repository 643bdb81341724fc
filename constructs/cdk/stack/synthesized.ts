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
import type { BLOCK_ATTRIBUTES } from '../../gen/attributes.ts';
import { isUnresolved, unescaped } from '../values/unresolved.ts';

/** The attributes of a block as Terraform reads them: by its names, and with all overrides. */
export interface KeyAttributes {
  readonly [attribute: string]: unknown;
}

/** One block of a stack’s configuration. */
export interface SynthesizedBlock {
  /** The path of its construct; for a block that only an override added, the path of the stack and the block’s address. */
  readonly path: string;
  /** The construct, or the stack if there is none. */
  readonly construct: IConstruct;
  readonly attributes: KeyAttributes;
}

/** A kind of block to validate. A data source of a key has the type of a key, and is not one. */
interface BlockKind {
  readonly type: keyof typeof BLOCK_ATTRIBUTES;
  isA(construct: IConstruct): construct is TerraformElement;
}

const KEY_TYPE = 'keyplane_api_key';
const CHECK_TYPE = 'keyplane_check';

export const isKeyResource = (construct: IConstruct): construct is TerraformResource =>
  TerraformResource.isTerraformResource(construct) && construct.terraformResourceType === KEY_TYPE;

const isCheckSource = (construct: IConstruct): construct is TerraformDataSource =>
  TerraformDataSource.isTerraformDataSource(construct) && construct.terraformResourceType === CHECK_TYPE;

export const KEYS: BlockKind = { type: KEY_TYPE, isA: isKeyResource };
export const CHECKS: BlockKind = { type: CHECK_TYPE, isA: isCheckSource };

/** Every key below a construct, of any class. */
export const keyResources = (scope: IConstruct): readonly TerraformResource[] =>
  scope.node.findAll().filter(isKeyResource);

const RESOLVER = new DefaultTokenResolver(new StringConcat());

/** Resolves the tokens of a value: those of Terraform become its own notation. */
export const resolved = (construct: IConstruct, value: unknown): unknown =>
  Tokenization.resolve(value, { scope: TerraformStack.of(construct), preparing: false, resolver: RESOLVER });

/** The identity of a key at the gateway. */
export interface KeyIdentity {
  readonly name: string;
  /** The ID by which the resource imports the key. */
  readonly importedId: string | undefined;
}

const IMPORTED_ID = /^(?:id=)?(\d+)$/;

/** Resolves the name alone: resolving every attribute of every key would take most of a synthesis. */
export function tryIdentityOf(resource: TerraformResource): KeyIdentity | undefined {
  const { resource: blocks, import: imports } = resource.toTerraform();
  const known = resolved(resource, blocks?.[KEY_TYPE]?.[resource.friendlyUniqueId]?.name);
  if (typeof known !== 'string' || isUnresolved(known)) return undefined;
  const [, importedId] = IMPORTED_ID.exec(String(imports?.[0]?.id)) ?? [];
  return { name: unescaped(known), importedId };
}

interface StackConfiguration {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, KeyAttributes>>>>;
  readonly data?: StackConfiguration['resource'];
  readonly output?: Readonly<Record<string, unknown>>;
}

/** The constructs of a kind in a stack, each with its label in Terraform, which may occur twice. */
export const labelled = (stack: TerraformStack, { isA }: BlockKind) =>
  stack.node
    .findAll()
    .filter(isA)
    .map((construct) => ({ construct, label: construct.friendlyUniqueId }));

/** All keys, checks and outputs of a stack as they will be synthesized. */
export function synthesizedBlocks(stack: TerraformStack): {
  readonly keys: readonly SynthesizedBlock[];
  readonly checks: readonly SynthesizedBlock[];
  readonly outputs: StackConfiguration['output'];
} {
  const configuration = resolved(stack, stack.toTerraform()) as StackConfiguration;
  const blocksOf = (blocks: StackConfiguration['resource'], kind: BlockKind): readonly SynthesizedBlock[] => {
    const constructs = new Map(labelled(stack, kind).map(({ construct, label }) => [label, construct]));
    return Object.entries(blocks?.[kind.type] ?? {}).map(([label, attributes]) => {
      const construct = constructs.get(label);
      const path = construct?.node.path ?? `${stack.node.path}: ${kind.type}.${label}`;
      return { path, construct: construct ?? stack, attributes };
    });
  };
  return {
    keys: blocksOf(configuration.resource, KEYS),
    checks: blocksOf(configuration.data, CHECKS),
    outputs: configuration.output,
  };
}

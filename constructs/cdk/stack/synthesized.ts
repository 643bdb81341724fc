import {
  DefaultTokenResolver,
  StringConcat,
  TerraformDataSource,
  TerraformElement,
  TerraformResource,
  TerraformStack,
  Tokenization,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import type { BLOCK_ATTRIBUTES } from '../../gen/attributes.ts';
import { isLiteral, isUnresolved, literalCopy, NOT_LITERAL, unescaped } from '../values/unresolved.ts';

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

const RESOLVER = new DefaultTokenResolver(new StringConcat());

/** Resolves the tokens of a value: those of Terraform become its own notation. */
export const resolved = (construct: IConstruct, value: unknown): unknown =>
  typeof value === 'string' && isLiteral(value)
    ? value
    : Tokenization.resolve(value, { scope: TerraformStack.of(construct), preparing: false, resolver: RESOLVER });

/** The identity of a key at the gateway. */
export interface KeyIdentity {
  readonly name: string;
  /** The ID by which the resource imports the key. */
  readonly importedId: string | undefined;
}

const IMPORTED_ID = /^(?:id=)?(\d+)$/;

/** A part of the configuration of a stack. */
interface Fragment {
  readonly resource?: Readonly<Record<string, Readonly<Record<string, KeyAttributes>>>>;
  readonly data?: Fragment['resource'];
  readonly output?: Readonly<Record<string, unknown>>;
  readonly locals?: Readonly<Record<string, unknown>>;
  readonly import?: readonly { readonly to?: unknown; readonly id?: unknown }[];
}

/** The configuration of each element that was resolved: resolving takes most of a synthesis. */
export type Fragments = ReadonlyMap<IConstruct, Fragment>;

/** Most keys are literals: what nothing has to fill in only loses what is undefined. */
function fragmentOf(element: TerraformElement | TerraformStack): Fragment {
  const configuration: unknown = element.toTerraform();
  const copy = literalCopy(configuration);
  return (copy === NOT_LITERAL ? resolved(element, configuration) : copy) as Fragment;
}

/** Finds the identity of a key. Undefined: its name is not known. */
export function tryIdentityOf(resource: TerraformResource, fragments: Fragments): KeyIdentity | undefined {
  const { resource: blocks, import: imports } = fragments.get(resource) ?? (resource.toTerraform() as Fragment);
  const [block] = Object.values(blocks?.[KEY_TYPE] ?? {});
  const known = resolved(resource, block?.name);
  if (typeof known !== 'string' || isUnresolved(known)) return undefined;
  const [, importedId] = IMPORTED_ID.exec(String(imports?.[0]?.id)) ?? [];
  return { name: unescaped(known), importedId };
}

/** The label under which an element was resolved. Undefined: it was not, or it moves. */
const resolvedLabel = ({ type }: BlockKind, { resource, data }: Fragment = {}): string | undefined =>
  Object.keys(resource?.[type] ?? data?.[type] ?? {})[0];

/**
 * The constructs of a kind in a stack, each with its label in Terraform, which may occur twice. The CDK computes a digest for each
 * label, each time.
 *
 * @param constructs those of the stack
 */
export const labelled = (constructs: readonly IConstruct[], kind: BlockKind, fragments: Fragments) =>
  constructs.filter(kind.isA).map((construct) => ({
    construct,
    label: resolvedLabel(kind, fragments.get(construct)) ?? construct.friendlyUniqueId,
  }));

/** The constructs of a stack. Those of a stack within it are its own. */
export function constructsOf(stack: TerraformStack): readonly IConstruct[] {
  const all = stack.node.findAll();
  const isAlone = all.every((node) => node === stack || !TerraformStack.isStack(node));
  return isAlone ? all : all.filter((node) => TerraformStack.of(node) === stack);
}

/** Is a stack the sum of its elements? Overrides of the stack, and classes with a configuration of their own, change the sum. */
function isSum(stack: TerraformStack): boolean {
  const overrides: unknown = Reflect.get(stack, 'rawOverrides');
  const hasOverrides = typeof overrides !== 'object' || overrides === null || Object.keys(overrides).length > 0;
  return !hasOverrides && stack.toTerraform === TerraformStack.prototype.toTerraform;
}

/** The configuration of a stack by its elements, or as a whole: the CDK resolves a whole stack three times over. */
const fragmentsOf = (stack: TerraformStack, constructs: readonly IConstruct[]): Fragments =>
  isSum(stack)
    ? new Map(
        constructs
          .filter((node) => TerraformElement.isTerraformElement(node))
          .map((element) => [element, fragmentOf(element)]),
      )
    : new Map([[stack, fragmentOf(stack)]]);

type Section = 'resource' | 'data';

function blocksOf(stack: TerraformStack, fragments: Fragments, [section, kind]: readonly [Section, BlockKind]) {
  const isWhole = fragments.has(stack);
  const withLabel = new Map(
    isWhole ? labelled(constructsOf(stack), kind, fragments).map(({ construct, label }) => [label, construct]) : [],
  );
  return [...fragments].flatMap(([element, fragment]) =>
    Object.entries(fragment[section]?.[kind.type] ?? {}).map(([label, attributes]): SynthesizedBlock => {
      const construct = kind.isA(element) ? element : withLabel.get(label);
      return {
        construct: construct ?? stack,
        attributes,
        // The CDK computes a path each time, and most are needed only for errors.
        get path() {
          return construct?.node.path ?? `${stack.node.path}: ${kind.type}.${label}`;
        },
      };
    }),
  );
}

/**
 * All keys, checks, outputs and local values of a stack as they will be synthesized.
 *
 * @param constructs those of the stack
 */
export function synthesizedBlocks(
  stack: TerraformStack,
  constructs: readonly IConstruct[] = constructsOf(stack),
): {
  readonly keys: readonly SynthesizedBlock[];
  readonly checks: readonly SynthesizedBlock[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly locals: Readonly<Record<string, unknown>>;
  readonly fragments: Fragments;
} {
  const fragments = fragmentsOf(stack, constructs);
  return {
    keys: blocksOf(stack, fragments, ['resource', KEYS]),
    checks: blocksOf(stack, fragments, ['data', CHECKS]),
    outputs: Object.assign({}, ...[...fragments.values()].map(({ output }) => output)),
    locals: Object.assign({}, ...[...fragments.values()].map(({ locals }) => locals)),
    fragments,
  };
}

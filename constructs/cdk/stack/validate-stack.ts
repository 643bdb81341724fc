import { Annotations, App, Aspects, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { blankCredentials, canonicalJson, nameFold } from '../../../src/domain/index.ts';
import { BLOCK_ATTRIBUTES } from '../../gen/attributes.ts';
import { isGuardrail, type KeyRule } from '../aspects/brand.ts';
import { nowOf, PAST_EXPIRY } from '../clock.ts';
import { blockNameErrors, credentialsIn, validateBlock } from '../key/validate-key.ts';
import { pastedCredentials } from '../values/credentials.ts';
import { memoized } from '../values/memoized.ts';
import { unknownFields } from '../values/shape.ts';
import { hasUnresolved, unescaped } from '../values/unresolved.ts';
import { accountResolver, defaultErrors } from './account.ts';
import { memberErrors } from './block-members.ts';
import { stackOf } from './refusal.ts';
import { outputsOfSecrets } from './secrets.ts';
import {
  CHECKS,
  constructsOf,
  type Fragments,
  isKeyResource,
  KEYS,
  type KeyAttributes,
  type KeyIdentity,
  labelled,
  type SynthesizedBlock,
  synthesizedBlocks,
  tryIdentityOf,
} from './synthesized.ts';

/** The validation of a construct’s own props. */
interface Validation {
  errors(): readonly string[];
  /** The errors that the validation of the stack found, for that of the construct, which the CDK runs right after it. */
  found?: readonly string[] | undefined;
  /** The attributes that the props became, by the provider’s names. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

const VALIDATION = Symbol('keyplane/validation');
const IS_GOVERNED = Symbol('keyplane/governed');

interface Marked {
  readonly [VALIDATION]?: Validation;
  readonly [IS_GOVERNED]?: true;
}

const validationOf = (construct: IConstruct): Validation | undefined => (construct as IConstruct & Marked)[VALIDATION];

function foundErrors(validation: Validation): readonly string[] {
  validation.found = validation.errors();
  return validation.found;
}

/** Each validation is used once: the construct may change before the next synthesis. */
function takeErrors(validation: Validation): readonly string[] {
  const { found } = validation;
  validation.found = undefined;
  return found ?? validation.errors();
}

const at = (path: string, errors: readonly string[]): readonly string[] => errors.map((error) => `${path}: ${error}`);

/** Two IDs distinguish keys with one name. */
const isOtherKey = (a: KeyIdentity, b: KeyIdentity): boolean =>
  a.importedId !== undefined && b.importedId !== undefined && a.importedId !== b.importedId;

/**
 * Finds keys of one account with one name, anywhere in the app, unless they are imported by different IDs. Reports them in
 * the stack of the later one.
 */
function duplicates(stack: TerraformStack, all: readonly IConstruct[], fragments: Fragments): readonly string[] {
  const seen = new Map<string, (KeyIdentity & { readonly resource: IConstruct })[]>();
  const accountOf = accountResolver();
  return all.filter(isKeyResource).flatMap((resource) => {
    const identity = tryIdentityOf(resource, fragments);
    if (identity === undefined) return [];
    const { name } = identity;
    const label = `${accountOf(resource)} ${nameFold(name)}`;
    const others = seen.get(label) ?? [];
    const other = others.find((each) => !isOtherKey(each, identity));
    if (!other) seen.set(label, [...others, { ...identity, resource }]);
    if (!other || TerraformStack.of(resource) !== stack) return [];
    const spelling = other.name === name ? '' : ` as ${JSON.stringify(other.name)}`;
    const taken = `The name ${JSON.stringify(name)} is already used by ${other.resource.node.path}${spelling}.`;
    return at(resource.node.path, [`${taken} Names are unique in an account, ignoring case.`]);
  });
}

/**
 * Finds blocks with equal or invalid labels. Both CDKs omit parts of the path from a label, and would merge two blocks
 * with one label. Terraform rejects some labels that they make.
 */
function labelErrors(constructs: readonly IConstruct[], kind: typeof KEYS, fragments: Fragments): readonly string[] {
  const { type } = kind;
  const first = new Map<string, IConstruct>();
  return labelled(constructs, kind, fragments).flatMap(({ construct, label }) => {
    const other = first.get(label);
    if (!other) first.set(label, construct);
    if (other)
      return at(construct.node.path, [
        `${type}.${label} is already ${other.node.path}: both would become one block. Change the ID of one of them.`,
      ]);
    return /^[A-Za-z_]/.test(label)
      ? []
      : at(construct.node.path, [`Terraform rejects the label ${type}.${label}: the ID must begin with a letter.`]);
  });
}

type GuardrailsOf = (construct: IConstruct) => readonly KeyRule[];

/** Aspects of a CDK end at the stack, which would silently ignore guardrails above it: this finds them all. */
function guardrailFinder(): GuardrailsOf {
  const guardrailsOf: GuardrailsOf = memoized((construct) => {
    const { scope } = construct.node;
    return [...(scope ? guardrailsOf(scope) : []), ...Aspects.of(construct).all.filter(isGuardrail)];
  });
  return guardrailsOf;
}

/** Returns whether an attribute still has the value that the props gave it. */
function isFromProps({ attributes }: SynthesizedBlock, name: string, value: unknown): boolean {
  const { [name]: now } = attributes;
  // The validation of the props leaves out what the synthesis produces.
  return !hasUnresolved(value) && (now === value || canonicalJson(now) === canonicalJson(value));
}

const attributesFromProps = (block: SynthesizedBlock, { attributes: own = {} }: Partial<Validation>) =>
  new Set(Object.keys(own).filter((name) => isFromProps(block, name, own[name])));

/** Arguments that Terraform itself takes in every block, and comments. */
const META_ARGUMENTS = [
  'count',
  'for_each',
  'provider',
  'depends_on',
  'lifecycle',
  'connection',
  'provisioner',
  'dynamic',
  '//',
];

const ACCEPTED = new Map(
  Object.entries(BLOCK_ATTRIBUTES).map(([type, { arguments: known }]) => [
    type,
    new Set([...known, ...META_ARGUMENTS]),
  ]),
);

/** Finds attributes that the provider does not have, or that only the provider sets: overrides are not typed. */
function attributeErrors({ type }: typeof KEYS, { attributes }: SynthesizedBlock): readonly string[] {
  return [...nameErrors(type, attributes), ...memberErrors(type, attributes)];
}

function nameErrors(type: (typeof KEYS)['type'], attributes: KeyAttributes): readonly string[] {
  const strange = Object.keys(attributes).filter(
    (name) => ACCEPTED.get(type)?.has(name) !== true && attributes[name] !== undefined,
  );
  if (strange.length === 0) return [];
  const { arguments: known, readOnly } = BLOCK_ATTRIBUTES[type];
  const fixed = strange.filter((name) => readOnly.includes(name));
  const misspelled = strange.filter((name) => !readOnly.includes(name));
  return [
    ...fixed.map((name) => `\`${name}\`: Read-only: only the provider sets it.`),
    ...unknownFields(Object.fromEntries(misspelled.map((name) => [name, attributes[name]])), known),
  ];
}

/** The settings that are valid in any key at that time, as JSON: most keys differ in their names alone. */
type ValidSettings = Set<string>;

const NO_VALIDATION: Partial<Validation> = {};

/** The errors in the name of a key and in the comments of its block, whatever its settings are. */
function namingErrors(key: SynthesizedBlock, { attributes: own = {} }: Partial<Validation>): readonly string[] {
  const { name, '//': comment } = key.attributes;
  const isValidated = own.name !== undefined && isFromProps(key, 'name', own.name);
  return [...blockNameErrors(key, isValidated), ...credentialsIn({ '//': comment, name })];
}

/** Validates what the props did not: generated classes and overrides. */
function blockErrors(key: SynthesizedBlock, valid: ValidSettings): readonly string[] {
  const validation = validationOf(key.construct.node.scope ?? key.construct);
  if (validation && foundErrors(validation).length > 0) return [];
  const now = nowOf(key.construct as Construct);
  const { name: _name, '//': _comment, ...settings } = key.attributes;
  const text = JSON.stringify([now, settings]);
  if (valid.has(text)) return namingErrors(key, validation ?? NO_VALIDATION);
  const fromProps = attributesFromProps(key, validation ?? NO_VALIDATION);
  const { errors, past } = validateBlock(key, fromProps, now);
  const isPastAllowed = key.construct.node.tryGetContext(PAST_EXPIRY) === 'warn';
  const all = [
    ...errors,
    ...(past === undefined || isPastAllowed ? [] : [past]),
    ...credentialsIn(key.attributes),
    ...attributeErrors(KEYS, key),
  ];
  if (all.length === 0 && past === undefined) valid.add(text);
  return all;
}

/** The results that the validations of all keys of a stack share. */
interface KeyTerms {
  readonly valid: ValidSettings;
  readonly guardrailsOf: GuardrailsOf;
}

function keyErrors(key: SynthesizedBlock, { valid, guardrailsOf }: KeyTerms): readonly string[] {
  const errors = [
    ...blockErrors(key, valid),
    ...guardrailsOf(key.construct).flatMap((guardrail) => guardrail.complaints(key)),
  ];
  // Most keys have none, and the CDK computes a path each time.
  return errors.length === 0 ? errors : at(key.path, errors);
}

/** The errors of all keys together, of each guardrail once: a sum for each key would take the square of their number. */
function totalErrors(keys: readonly SynthesizedBlock[], { guardrailsOf }: KeyTerms): readonly string[] {
  const guardrails = new Set(keys.flatMap(({ construct }) => guardrailsOf(construct)));
  return [...guardrails].flatMap((guardrail) => guardrail.totalComplaints?.() ?? []);
}

/** The errors of other stacks. Stacks are written one after the other, and none may be written when one has errors. */
function errorsElsewhere(stack: TerraformStack, all: readonly IConstruct[]): readonly string[] {
  return all.flatMap((construct) => {
    const validation = validationOf(construct);
    if (!validation || TerraformStack.of(construct) === stack) return [];
    return at(construct.node.path, validation.errors());
  });
}

/**
 * Warns once of a valid key that is synthesized without a budget. Only a warning: an existing key keeps its budget, and a
 * synthesis does not know which keys exist.
 */
function warnWithoutBudget({ attributes: { name, budget = null }, construct }: SynthesizedBlock): void {
  const { scope } = construct.node;
  const isInvalid = scope && validationOf(scope)?.found?.length;
  if (budget !== null || isInvalid) return;
  const key = typeof name === 'string' ? `The key ${JSON.stringify(unescaped(name))}` : 'The key';
  const message = blankCredentials(
    `${key} has no \`budget\`, so a plan that would create it fails. Set an amount, or \`unlimited\` for no ceiling.`,
  );
  const owner = scope && validationOf(scope) ? scope : construct;
  if (!owner.node.metadata.some(({ data }) => data === message)) Annotations.of(owner).addWarning(message);
}

const NOT_IN_HCL =
  'The CDK omits checks and secrets of keys from HCL, and writes objects such as `budget` as blocks. Synthesize JSON: omit `hclOutput`, and the environment’s SYNTH_HCL_OUTPUT.';

const isWrittenAsHcl = ({ node: { root } }: TerraformStack): boolean => App.isApp(root) && root.hclOutput;

/** People import by what they know of a key. */
const importErrors = (fragments: Fragments): readonly string[] =>
  [...fragments.values()]
    .flatMap((fragment) => fragment.import ?? [])
    .flatMap(({ to, id }) => pastedCredentials(`import of ${to}`, id));

function stackErrors(stack: TerraformStack): string[] {
  const all = stack.node.root.node.findAll();
  for (const other of all) if (TerraformStack.isStack(other)) governStack(other);
  const constructs = constructsOf(stack);
  const { keys, checks, outputs, locals, fragments } = synthesizedBlocks(stack, constructs);
  const terms: KeyTerms = { valid: new Set(), guardrailsOf: guardrailFinder() };
  const errors = [
    ...defaultErrors(constructs),
    ...(isWrittenAsHcl(stack) ? at(stack.node.path, [NOT_IN_HCL]) : []),
    ...[KEYS, CHECKS].flatMap((kind) => labelErrors(constructs, kind, fragments)),
    ...duplicates(stack, all, fragments),
    ...keys.flatMap((key) => keyErrors(key, terms)),
    ...at(stack.node.path, totalErrors(keys, terms)),
    ...checks.flatMap((check) =>
      at(check.path, [...credentialsIn(check.attributes), ...attributeErrors(CHECKS, check)]),
    ),
    ...at(stack.node.path, [...outputsOfSecrets(outputs, locals), ...importErrors(fragments)]),
    ...errorsElsewhere(stack, all),
  ];
  keys.forEach(warnWithoutBudget);
  return errors.map(blankCredentials);
}

function governStack(stack: TerraformStack & Marked): void {
  if (stack[IS_GOVERNED]) return;
  Object.assign(stack, { [IS_GOVERNED]: true });
  stack.node.addValidation({ validate: () => stackErrors(stack) });
}

/** Validates the keys of all stacks of an app at synthesis, whatever class they were made with. */
export const governStackOf = (scope: Construct): void => governStack(stackOf(scope));

/** Validates a construct by its own props, and its stack with it. */
export function addValidation(construct: Construct, validation: Validation): void {
  Object.assign(construct, { [VALIDATION]: validation });
  construct.node.addValidation({ validate: () => takeErrors(validation).map(blankCredentials) });
  governStackOf(construct);
}

import { Aspects, TerraformStack } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';
import { blankCredentials, nameFold } from '../../../src/domain/index.ts';
import { isGuardrail } from '../aspects/brand.ts';
import { nowOf, PAST_EXPIRY } from '../clock.ts';
import { credentialsIn, judgeWrittenKey } from '../key/judge-written.ts';
import { accounts } from './account.ts';
import { stackOf } from './refusal.ts';
import { CHECKS, KEYS, keyResources, labelled, tryNameOf, type Written, writtenIn } from './synthesized.ts';

type Judge = () => readonly string[];

const governed = new WeakSet<TerraformStack>();
const judges = new WeakMap<IConstruct, Judge>();

const at = (path: string, problems: readonly string[]): readonly string[] =>
  problems.map((problem) => `${path}: ${problem}`);

/** Two keys of one account with one name, wherever they are in the app: told in the stack of the later one. */
function duplicates(stack: TerraformStack): readonly string[] {
  const first = new Map<string, { readonly path: string; readonly name: string }>();
  const accountOf = accounts();
  return keyResources(stack.node.root).flatMap((resource) => {
    const name = tryNameOf(resource);
    if (name === undefined) return [];
    const identity = `${accountOf(resource)} ${nameFold(name)}`;
    const other = first.get(identity);
    const { path } = resource.node;
    if (!other) first.set(identity, { path, name });
    if (!other || TerraformStack.of(resource) !== stack) return [];
    const like = other.name === name ? '' : `, written ${JSON.stringify(other.name)}`;
    const taken = `the name ${JSON.stringify(name)} is taken by ${other.path}${like}.`;
    return at(path, [`${taken} Names of an account are unique, without regard to case.`]);
  });
}

/**
 * Both CDKs leave parts out of the path when they make a label of it: two blocks with one label would be merged into one.
 * Some that they make Terraform refuses.
 */
function labels(stack: TerraformStack, kind: typeof KEYS): readonly string[] {
  const { type } = kind;
  const first = new Map<string, IConstruct>();
  return labelled(stack, kind).flatMap(({ construct, label }) => {
    const other = first.get(label);
    const { path } = construct.node;
    if (!other) first.set(label, construct);
    if (other)
      return at(path, [`${type}.${label} is ${other.node.path} already: both would become one. Give one another id.`]);
    return /^[A-Za-z_]/.test(label)
      ? []
      : at(path, [`Terraform takes no ${type}.${label}: let the id begin with a letter.`]);
  });
}

/** Aspects of a CDK end at the stack: those above it would be passed over silently, so all are looked for here. */
const guardrailsOf = (construct: IConstruct) =>
  construct.node.scopes.flatMap((scope) => Aspects.of(scope).all.filter(isGuardrail));

function judgeKeyBlock(key: Written): readonly string[] {
  // What people wrote was judged where they wrote it, in their words.
  const own = judges.get(key.construct.node.scope ?? key.construct)?.() ?? [];
  const isPastFine = key.construct.node.tryGetContext(PAST_EXPIRY) === 'warn';
  const rules =
    own.length > 0
      ? []
      : [...judgeWrittenKey(key, nowOf(key.construct as Construct), isPastFine), ...credentialsIn(key)];
  const guardrails = guardrailsOf(key.construct).flatMap((guardrail) => guardrail.complaints(key));
  return at(key.path, [...rules, ...guardrails]);
}

/** Stacks are written one after the other: what is wrong in a later one is told before any is. */
function elsewhere(stack: TerraformStack): readonly string[] {
  return stack.node.root.node.findAll().flatMap((node) => {
    const judge = judges.get(node);
    if (!judge || TerraformStack.of(node) === stack) return [];
    return at(node.node.path, judge());
  });
}

function judgeStack(stack: TerraformStack): string[] {
  for (const other of stack.node.root.node.findAll().filter((node) => TerraformStack.isStack(node))) governStack(other);
  const { keys, checks } = writtenIn(stack);
  const problems = [
    ...[KEYS, CHECKS].flatMap((kind) => labels(stack, kind)),
    ...duplicates(stack),
    ...keys.flatMap(judgeKeyBlock),
    ...checks.flatMap((check) => at(check.path, credentialsIn(check))),
    ...elsewhere(stack),
  ];
  return problems.map(blankCredentials);
}

function governStack(stack: TerraformStack): void {
  if (governed.has(stack)) return;
  governed.add(stack);
  stack.node.addValidation({ validate: () => judgeStack(stack) });
}

/** Has the keys of all stacks of an app judged when it is synthesized: whatever class they were made with. */
export const governStackOf = (scope: Construct): void => governStack(stackOf(scope));

/** Has a construct judged by itself, as it was written; and its stack with it. */
export function judged(construct: Construct, judge: Judge): void {
  judges.set(construct, judge);
  construct.node.addValidation({ validate: () => judge().map(blankCredentials) });
  governStackOf(construct);
}

import type { AssertionName, CheckIssue, CheckSpec } from '../domain/index.ts';
import { readRequestMedia } from '../media/index.ts';
import { FAMILIES, findFamily, requestIssues } from '../wire/index.ts';
import { findModule } from './catalog.ts';
import type { CheckModuleEntry } from './check-module.ts';
import { schemaProblem } from './inference/json-claims.ts';
import { readRequestFiles } from './media/request-files.ts';

/** For modules that ask any model in the same way. */
const ANY_MODEL = 'any-model';

/** `messages[0].content` as the steps that lead there. */
const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

function expectationIssues({ expect, module }: CheckSpec, { expects }: CheckModuleEntry): readonly CheckIssue[] {
  const names = Object.keys(expect) as AssertionName[];
  return names
    .filter((name) => !expects.includes(name))
    .map((name) => ({
      path: ['expect', name],
      message: `means nothing for ${module}; it can expect ${expects.join(', ')}`,
    }));
}

function schemaIssues({ expect: { jsonSchema } }: CheckSpec): readonly CheckIssue[] {
  const problem = jsonSchema === undefined ? undefined : schemaProblem(jsonSchema);
  return problem === undefined ? [] : [{ path: ['expect', 'jsonSchema'], message: `is no JSON Schema: ${problem}` }];
}

function modelIssues(spec: CheckSpec, { plea }: CheckModuleEntry): readonly CheckIssue[] {
  const { model, family, module } = spec;
  const names = FAMILIES.map(({ id }) => id as string);
  if (family !== undefined && !names.includes(family)) {
    return [{ path: ['family'], message: `is none; the families are ${names.join(', ')}` }];
  }
  if (model === undefined || plea === undefined || plea(model, spec) !== undefined) return [];
  return [{ path: ['model'], message: `is of no family that takes ${module}` }];
}

/** Which models it may come to ask: its own, else those of the keys; where any name will do, any name. */
function modelsFor({ model, family }: CheckSpec, { takes }: CheckModuleEntry, declared: readonly string[]) {
  if (model !== undefined) return [model];
  return [...new Set([...declared, ANY_MODEL])].filter((name) => takes?.(name, family) === true);
}

async function requestProblems(
  spec: CheckSpec,
  entry: CheckModuleEntry,
  declared: readonly string[],
): Promise<readonly CheckIssue[]> {
  if (entry.plea === undefined) {
    const [first] = Object.keys(spec.request);
    return first === undefined ? [] : [{ path: ['request', first], message: 'this module sends nothing of its own' }];
  }
  const found: (readonly CheckIssue[])[] = [];
  for (const model of modelsFor(spec, entry, declared)) found.push(await problemsOf(spec, entry, model));
  // Which key will ask is not known here: what one of the models takes may be sent.
  return found.some((issues) => issues.length === 0) ? [] : (found[0] ?? []);
}

async function problemsOf(spec: CheckSpec, { plea }: CheckModuleEntry, model: string): Promise<readonly CheckIssue[]> {
  const made = plea?.(model, spec);
  if (made === undefined) return [];
  const read = await readRequestFiles(spec, made);
  if ('issues' in read) return read.issues;
  const family = findFamily(made.family);
  const shaped = family.body.safeParse(read.body).success;
  const files = shaped ? { knownOf: await readRequestMedia(family, read.body) } : {};
  return requestIssues(family, read.body, { model, ...files }).map(({ path, message }) => ({
    path: ['request', ...stepsOf(path)],
    message,
  }));
}

/**
 * What is wrong with a check, found without a gateway: expectations that its module can not judge, a model that it can
 * not ask, and every limit of the contract that its request breaks. Reads the files that the request names.
 *
 * @param declared models that keys are allowed: a check without a model asks one of them
 */
export async function judgeCheck(spec: CheckSpec, declared: readonly string[] = []): Promise<readonly CheckIssue[]> {
  const entry = findModule(spec.module);
  const issues = [...expectationIssues(spec, entry), ...schemaIssues(spec), ...modelIssues(spec, entry)];
  return issues.some(({ path }) => path[0] !== 'expect')
    ? issues
    : [...issues, ...(await requestProblems(spec, entry, declared))];
}

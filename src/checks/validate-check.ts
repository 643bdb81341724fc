import { ASSERTION_NAMES, type CheckIssue, type CheckSpec } from '../domain/index.ts';
import { readRequestMedia } from '../media/index.ts';
import { FAMILIES, findFamily, requestIssues } from '../wire/index.ts';
import { findModule } from './catalog.ts';
import type { CheckModuleEntry } from './check-module.ts';
import { schemaProblem } from './inference/json-claims.ts';
import { readRequestFiles } from './media/request-files.ts';

/** Stands for any model, for modules that ask all models in the same way. */
const ANY_MODEL = 'any-model';

/** Splits `messages[0].content` into its steps. */
const stepsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

const assertionIssues = ({ expect, module }: CheckSpec, { assertions }: CheckModuleEntry): readonly CheckIssue[] =>
  ASSERTION_NAMES.filter((name) => expect[name] !== undefined && !assertions.includes(name)).map((name) => ({
    path: ['expect', name],
    message: `is not supported by ${module}`,
    supported: assertions,
  }));

function schemaIssues({ expect: { jsonSchema } }: CheckSpec): readonly CheckIssue[] {
  const problem = jsonSchema === undefined ? undefined : schemaProblem(jsonSchema);
  const message = `is not a valid JSON Schema: ${problem}`;
  return problem === undefined ? [] : [{ path: ['expect', 'jsonSchema'], message }];
}

function modelIssues(spec: CheckSpec, { buildRequest }: CheckModuleEntry): readonly CheckIssue[] {
  const { model, family, module } = spec;
  const names: readonly string[] = FAMILIES.map(({ id }) => id);
  if (family !== undefined && !names.includes(family)) {
    return [{ path: ['family'], message: `is not a family; expected one of ${names.join(', ')}` }];
  }
  if (model === undefined || buildRequest === undefined || buildRequest(model, spec) !== undefined) return [];
  return [{ path: ['model'], message: `belongs to no family that ${module} supports` }];
}

/** The models that the check may ask: its own, else those of the keys, and any model where all are asked alike. */
function modelsFor({ model, family }: CheckSpec, { accepts }: CheckModuleEntry, declared: readonly string[]) {
  if (model !== undefined) return [model];
  return [...new Set([...declared, ANY_MODEL])].filter((name) => accepts?.(name, family) === true);
}

async function findRequestIssues(
  spec: CheckSpec,
  entry: CheckModuleEntry,
  declared: readonly string[],
): Promise<readonly CheckIssue[]> {
  if (entry.buildRequest === undefined) {
    const [first] = Object.keys(spec.request);
    return first === undefined
      ? []
      : [{ path: ['request', first], message: 'is not supported: the module sends no request' }];
  }
  const found: (readonly CheckIssue[])[] = [];
  for (const model of modelsFor(spec, entry, declared)) found.push(await issuesFor(spec, entry, model));
  // Any of the keys may run the check: it is valid if one of their models takes the request.
  return found.some((issues) => issues.length === 0) ? [] : (found[0] ?? []);
}

async function issuesFor(
  spec: CheckSpec,
  { buildRequest }: CheckModuleEntry,
  model: string,
): Promise<readonly CheckIssue[]> {
  const draft = buildRequest?.(model, spec);
  if (draft === undefined) return [];
  const read = await readRequestFiles(spec, draft);
  if ('issues' in read) return read.issues;
  const family = findFamily(draft.family);
  const hasShape = family.body.safeParse(read.body).success;
  const files = hasShape ? { knownOf: await readRequestMedia(family, read.body) } : {};
  return requestIssues(family, read.body, { model, ...files }).map(({ path, message }) => ({
    path: ['request', ...stepsOf(path)],
    message,
  }));
}

/**
 * Validates a check without a gateway: assertions that its module does not support, a model that it cannot ask, and every
 * limit of the contract that its request breaks. Reads the files that the request names.
 *
 * @param declared models that keys may use: a check without a model asks one of them
 */
export async function validateCheck(spec: CheckSpec, declared: readonly string[] = []): Promise<readonly CheckIssue[]> {
  const entry = findModule(spec.module);
  const issues = [...assertionIssues(spec, entry), ...schemaIssues(spec), ...modelIssues(spec, entry)];
  return issues.some(({ path }) => path[0] !== 'expect')
    ? issues
    : [...issues, ...(await findRequestIssues(spec, entry, declared))];
}

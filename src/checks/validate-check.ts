import { ASSERTION_NAMES, type CheckDiagnostic, type CheckSpec, checkError } from '../domain/index.ts';
import { readRequestMedia } from '../media/index.ts';
import { FAMILIES, findFamily, requestDiagnostics } from '../wire/index.ts';
import { findModule } from './catalog.ts';
import type { CheckModuleEntry } from './check-module.ts';
import { schemaProblem } from './inference/json-claims.ts';
import { readRequestFiles } from './media/request-files.ts';

/** Stands for any model, for modules that ask all models in the same way. */
const ANY_MODEL = 'any-model';

/** A limit on all items of a list names them `content[]`; the field is `content`. */
const withoutListMark = (step: string | number): string | number =>
  typeof step === 'string' ? step.replace('[]', '') : step;

const assertionErrors = ({ expect, module }: CheckSpec, { assertions }: CheckModuleEntry): readonly CheckDiagnostic[] =>
  ASSERTION_NAMES.filter((name) => expect[name] !== undefined && !assertions.includes(name)).map((name) =>
    checkError(['expect', name], `is not supported by ${module}`, assertions),
  );

async function schemaErrors({ expect: { jsonSchema } }: CheckSpec): Promise<readonly CheckDiagnostic[]> {
  const problem = jsonSchema === undefined ? undefined : await schemaProblem(jsonSchema);
  const message = `is not a valid JSON Schema: ${problem}`;
  return problem === undefined ? [] : [checkError(['expect', 'jsonSchema'], message)];
}

function modelErrors(spec: CheckSpec, { buildRequest }: CheckModuleEntry): readonly CheckDiagnostic[] {
  const { model, family, module } = spec;
  const names: readonly string[] = FAMILIES.map(({ id }) => id);
  if (family !== undefined && !names.includes(family)) {
    return [checkError(['family'], `is not a family; expected one of ${names.join(', ')}`)];
  }
  if (model === undefined || buildRequest === undefined || buildRequest(model, spec) !== undefined) return [];
  return [checkError(['model'], `belongs to no family that ${module} supports`)];
}

/** The models that the check may ask: its own, else those of the keys, and any model where all are asked alike. */
function modelsFor({ model, family }: CheckSpec, { accepts }: CheckModuleEntry, declared: readonly string[]) {
  if (model !== undefined) return [model];
  return [...new Set([...declared, ANY_MODEL])].filter((name) => accepts?.(name, family) === true);
}

async function findRequestErrors(
  spec: CheckSpec,
  entry: CheckModuleEntry,
  declared: readonly string[],
): Promise<readonly CheckDiagnostic[]> {
  if (entry.buildRequest === undefined) {
    const [first] = Object.keys(spec.request);
    return first === undefined ? [] : [checkError(['request', first], 'is not supported: the module sends no request')];
  }
  const found: (readonly CheckDiagnostic[])[] = [];
  for (const model of modelsFor(spec, entry, declared)) found.push(await errorsFor(spec, entry, model));
  // Any of the keys may run the check: it is valid if one of their models takes the request.
  return found.some((errors) => errors.length === 0) ? [] : (found[0] ?? []);
}

/** A client of whole answers would drop `stream`, and one of streams would be sent none. */
function streamErrors({ request: { stream }, module }: CheckSpec, { streamedBy, isStream }: CheckModuleEntry) {
  if (stream === true && streamedBy !== undefined)
    return [checkError(['request', 'stream'], `is not supported by ${module}: use the module ${streamedBy}`)];
  if (stream === false && isStream)
    return [checkError(['request', 'stream'], `must not be false: ${module} checks a stream`)];
  return [];
}

async function errorsFor(
  spec: CheckSpec,
  { buildRequest }: CheckModuleEntry,
  model: string,
): Promise<readonly CheckDiagnostic[]> {
  const draft = buildRequest?.(model, spec);
  if (draft === undefined) return [];
  const read = await readRequestFiles(spec, draft);
  if ('errors' in read) return read.errors;
  const family = findFamily(draft.family);
  const hasShape = family.body.safeParse(read.body).success;
  const files = hasShape ? { knownOf: await readRequestMedia(family, read.body) } : {};
  return requestDiagnostics(family, read.body, { model, ...files }).map(({ path, message }) =>
    checkError(['request', ...path.map(withoutListMark)], message),
  );
}

/**
 * Validates a check without a gateway: assertions that its module does not support, a model that it cannot ask, and every
 * limit of the contract that its request breaks. Reads the files that the request names.
 *
 * @param declared models that keys may use: a check without a model asks one of them
 */
export async function validateCheck(
  spec: CheckSpec,
  declared: readonly string[] = [],
): Promise<readonly CheckDiagnostic[]> {
  const entry = findModule(spec.module);
  const errors = [
    ...assertionErrors(spec, entry),
    ...(await schemaErrors(spec)),
    ...modelErrors(spec, entry),
    ...streamErrors(spec, entry),
  ];
  return errors.some(({ path }) => path[0] !== 'expect')
    ? errors
    : [...errors, ...(await findRequestErrors(spec, entry, declared))];
}

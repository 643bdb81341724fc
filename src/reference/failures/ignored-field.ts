import type { Form } from '../inference/request.ts';
import type { ServingFailure } from './kinds.ts';

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isFields(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) {
    const inner = without(value[name], rest);
    return Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner };
  }
  if (Array.isArray(value)) return value.toSpliced(Number(name), 1);
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

/** The body without the field that the gateway overlooks, `metadata.content.0` in lists too; no schema ever sees it. */
export const withoutIgnoredField = (body: unknown, failure: ServingFailure | undefined): unknown =>
  failure?.kind === 'ignore-field' ? without(body, failure.field.split('.')) : body;

/** The same for a form: neither its texts nor its files of that name. */
export function formWithoutIgnoredField(form: Form | undefined, failure: ServingFailure | undefined): Form | undefined {
  if (form === undefined || failure?.kind !== 'ignore-field') return form;
  const isKept = (name: string): boolean => name !== failure.field && name !== `${failure.field}[]`;
  const fields = Object.fromEntries(Object.entries(form.fields).filter(([name]) => isKept(name)));
  return { fields, files: form.files.filter(({ field }) => isKept(field)) };
}

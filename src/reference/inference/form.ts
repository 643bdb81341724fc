import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type AnyFamily, MEGABYTE, parseAlphaForm } from '../../wire/index.ts';
import type { Form, InferenceRequest } from './request.ts';

/** A little more than the limit of a file, so that a larger one is rejected rather than cut. */
export const FORM_LIMITS = { fileSize: 50 * MEGABYTE + 1, files: 32, fields: 100, fieldSize: MEGABYTE } as const;

async function bytesOf(part: MultipartFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.file as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reads the form of a request. Errors in it are the sender's and have a status below 500. */
export const readForm = (request: FastifyRequest): Promise<Form> =>
  partsOf(request).catch((thrown: Error & { statusCode?: number }) => {
    throw Object.assign(new Error(thrown.message, { cause: thrown }), { statusCode: thrown.statusCode ?? 400 });
  });

async function partsOf(request: FastifyRequest): Promise<Form> {
  const fields: Record<string, string> = {};
  const files: Form['files'][number][] = [];
  for await (const part of request.parts()) {
    if (part.type === 'file')
      files.push({ field: part.fieldname, file: { name: part.filename, bytes: await bytesOf(part) } });
    else fields[part.fieldname] = String(part.value);
  }
  return { fields, files };
}

/** The body in the format that the family expects; undefined if it came in the other one. */
export function bodyOf(family: AnyFamily, { form, body }: InferenceRequest): unknown {
  if (family.form === 'multipart') return form && parseAlphaForm(form.fields, form.files);
  return form ? undefined : (body ?? {});
}

import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type CheckIssue, type CheckSpec, fileTrouble, type Json } from '../../domain/index.ts';
import type { Upload } from '../../wire/index.ts';
import type { CheckRequest } from '../check-module.ts';
import { sourceUpload } from './source-image.ts';

/** A request with its files in it, or what is wrong with them. */
export type WithFiles =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly issues: readonly CheckIssue[] };

/** Fields of a form that are files: a manifest names them by their paths. */
const FILE_FIELDS = ['image', 'mask'] as const;

async function upload(folder: string, path: string): Promise<Upload> {
  return { bytes: await readFile(resolve(folder, path)), name: basename(path) };
}

async function filesOf(value: Json, folder: string): Promise<readonly Upload[]> {
  const paths = Array.isArray(value) ? value : [value];
  return Promise.all(paths.map((path) => upload(folder, String(path))));
}

/**
 * Puts the files into a request that is a form: their paths are relative to the manifest that names them, and a request
 * that names no image gets one of ours. Any other request stays as it is.
 */
export async function readRequestFiles(
  { folder }: Pick<CheckSpec, 'folder'>,
  { family, body }: CheckRequest,
): Promise<WithFiles> {
  if (family !== 'alpha-edit') return { body };
  const read: Record<string, unknown> = { image: [sourceUpload()], ...body };
  for (const field of FILE_FIELDS) {
    const value = body[field];
    if (value === undefined) continue;
    try {
      const files = await filesOf(value, folder);
      read[field] = field === 'mask' ? files[0] : files;
    } catch (thrown) {
      return { issues: [{ path: ['request', field], message: `can not be read: ${fileTrouble(thrown)}` }] };
    }
  }
  return { body: read };
}

import { basename, resolve } from 'node:path';
import { type CheckDiagnostic, type CheckSpec, checkError, fileTrouble, type Json } from '../../domain/index.ts';
import { confinedFile, MOST_BYTES, readBounded } from '../../source/index.ts';
import type { Upload } from '../../wire/index.ts';
import type { DraftRequest } from '../check-request.ts';
import { sourceUpload } from './source-image.ts';

/** The body of a request with its files, or what is wrong with them. */
type BodyWithFiles =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly errors: readonly CheckDiagnostic[] };

/** Fields of a form that are files. A manifest has their paths. */
const FILE_FIELDS = ['image', 'mask'] as const;

type Located = Pick<CheckSpec, 'folder' | 'trustsPaths'>;

async function upload({ folder, trustsPaths }: Located, path: string): Promise<Upload> {
  const file = trustsPaths ? resolve(folder, path) : confinedFile(folder, path);
  return { bytes: await readBounded(file, MOST_BYTES.upload), name: basename(path) };
}

async function filesOf(value: Json, spec: Located): Promise<readonly Upload[]> {
  const paths = Array.isArray(value) ? value : [value];
  return Promise.all(paths.map((path) => upload(spec, String(path))));
}

/**
 * Reads the files of a request that is a form. Paths are relative to the manifest; a request without an image gets the
 * built-in one. Other requests are returned unchanged.
 */
export async function readRequestFiles(spec: Located, { family, body }: DraftRequest): Promise<BodyWithFiles> {
  if (family !== 'alpha-edit') return { body };
  const read: Record<string, unknown> = { image: [sourceUpload()], ...body };
  for (const field of FILE_FIELDS) {
    const value = body[field];
    if (value === undefined) continue;
    try {
      const files = await filesOf(value, spec);
      read[field] = field === 'mask' ? files[0] : files;
    } catch (thrown) {
      return { errors: [checkError(['request', field], `cannot be read: ${fileTrouble(thrown)}`)] };
    }
  }
  return { body: read };
}

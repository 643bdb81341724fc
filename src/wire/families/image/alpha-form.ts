import type { Upload } from '../../media-limits.ts';
import type { AlphaEditRequest } from './alpha-edit.ts';

/** A file of a form, and the field that it came in. */
interface FormFile {
  readonly field: string;
  readonly file: Upload;
}

const NUMBERS: readonly string[] = ['n', 'output_compression', 'partial_images'];
const BOOLEANS: readonly string[] = ['stream'];
const IMAGE = /^image(\[\d*\])?$/;

/** A form contains only text. Text that is not a number, or neither true nor false, stays text, which its schema rejects. */
function readField(field: string, text: string): unknown {
  if (NUMBERS.includes(field) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (BOOLEANS.includes(field) && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** A field that came twice is a list, which its schema refuses where one file belongs. */
function filesByField(files: readonly FormFile[]): Readonly<Record<string, unknown>> {
  const names = [...new Set(files.map(({ field }) => field))];
  const filesOf = (name: string) => files.filter(({ field }) => field === name).map(({ file }) => file);
  return Object.fromEntries(names.map((name) => [name, filesOf(name).length === 1 ? filesOf(name)[0] : filesOf(name)]));
}

/**
 * The body that a form stands for, not yet judged: `image`, `image[]` and `image[0]` are its images, in their order.
 * A text where a file belongs stays one, so that it is refused.
 */
export function parseAlphaForm(
  fields: Readonly<Record<string, string>>,
  files: readonly FormFile[],
): Record<string, unknown> {
  const texts = Object.entries(fields);
  const image: unknown[] = [
    ...files.filter(({ field }) => IMAGE.test(field)).map(({ file }) => file),
    ...texts.filter(([field]) => IMAGE.test(field)).map(([, text]) => text),
  ];
  return {
    ...Object.fromEntries(
      texts.filter(([field]) => !IMAGE.test(field)).map(([field, text]) => [field, readField(field, text)]),
    ),
    ...filesByField(files.filter(({ field }) => !IMAGE.test(field))),
    image,
  };
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The entries of the form, texts before files: whoever reads it knows the model before the first large part comes. */
export function alphaForm({
  image,
  mask,
  ...fields
}: AlphaEditRequest): readonly (readonly [string, string | Upload])[] {
  const texts = Object.entries(fields).flatMap(([field, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[field, textOf(value)]],
  );
  const name = image.length === 1 ? 'image' : 'image[]';
  return [
    ...texts,
    ...image.map((file) => [name, file] as const),
    ...(mask === undefined ? [] : [['mask', mask] as const]),
  ];
}

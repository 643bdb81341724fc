import { createHash } from 'node:crypto';
import { type AlphaEditRequest, alphaForm, type Upload } from '../../wire/index.ts';

/** A request body, ready to be sent. */
export interface RenderedBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly bytes: number;
}

const SIGNATURES: readonly (readonly [string, RegExp])[] = [
  ['png', /^\x89PNG/],
  ['jpeg', /^\xff\xd8\xff/],
  ['webp', /^RIFF.{4}WEBP/s],
];

/** Detects the image format from the first bytes. The request was validated before, so there are no other formats. */
function formatOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0];
}

/** Quotes a name as the HTML standard does in forms. */
const quoted = (name: string): string =>
  `"${name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')}"`;

function renderPart(name: string, value: string | Upload): readonly Uint8Array[] {
  const head = `content-disposition: form-data; name=${quoted(name)}`;
  if (typeof value === 'string') return [Buffer.from(`${head}\r\n\r\n${value}`)];
  const format = formatOf(value.bytes);
  const filename = quoted(value.name ?? `${name.replace('[]', '')}.${format ?? 'bin'}`);
  const type = format === undefined ? 'application/octet-stream' : `image/${format}`;
  return [Buffer.from(`${head}; filename=${filename}\r\ncontent-type: ${type}\r\n\r\n`), value.bytes];
}

/** A boundary that does not occur in the parts. It is derived from them, so equal requests have equal bodies. */
function boundaryFor(parts: readonly (readonly Uint8Array[])[]): string {
  const hash = createHash('sha256');
  for (const chunk of parts.flat()) hash.update(chunk);
  return `keyplane-${hash.digest('hex')}`;
}

/** Renders the form of an edit with family alpha. Contract: “Family alpha (multipart form)”. */
export function renderForm(request: AlphaEditRequest): RenderedBody {
  const parts = alphaForm(request).map(([name, value]) => renderPart(name, value));
  const boundary = boundaryFor(parts);
  const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), ...part, Buffer.from('\r\n')]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body, bytes: body.length };
}

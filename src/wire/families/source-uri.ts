import * as z from 'zod';
import { tryParseDataUri } from '../data-uri.ts';

/** An address that a request may name: `http` or `https`. That it can be reached from where it matters shows there only. */
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** The address that receives status notifications of a task. */
export const CallbackUrl = z
  .string()
  .refine(isWebAddress, { message: 'must be a URL that begins with http:// or https://' })
  .describe('URL of `http` or `https`');

/** The forms in which one field may refer to files. */
interface SourceForms {
  /** Media types of data URIs, in lower case: `image/png`. */
  readonly mediaTypes: readonly string[];
  /** The gateway takes a data URI only with its media type in lower case. */
  readonly lowerCase?: boolean;
  /** A scheme that is allowed in addition to `http`, `https` and `data`: `mm_file://`. */
  readonly schemes?: readonly string[];
}

function dataUriTrouble(text: string, { mediaTypes, lowerCase = false }: SourceForms): string | undefined {
  const mediaType = tryParseDataUri(text)?.mediaType;
  if (mediaType === undefined) return 'is not a Base64 data URI: data:<media type>;base64,<data>';
  if (mediaTypes.includes(lowerCase ? mediaType : mediaType.toLowerCase())) return undefined;
  return `is a data URI of ${mediaType}, and must be one of ${mediaTypes.join(', ')}`;
}

const hasScheme = (text: string, schemes: readonly string[]): boolean =>
  schemes.some((scheme) => text.startsWith(scheme) && text.length > scheme.length);

function sourceTrouble(text: string, forms: SourceForms): string | undefined {
  if (/^data:/i.test(text)) return dataUriTrouble(text, forms);
  if (isWebAddress(text) || hasScheme(text, forms.schemes ?? [])) return undefined;
  return `must be ${['a URL of http or https', 'a Base64 data URI', ...(forms.schemes ?? [])].join(', or ')}`;
}

/** A text that names a file or holds it. */
export const sourceUri = (forms: SourceForms, description: string) =>
  z
    .string()
    .check((context) => {
      const message = sourceTrouble(context.value, forms);
      if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
    })
    .describe(description);

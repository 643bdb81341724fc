import { collect } from '../../source/index.ts';
import { isManifest } from '../files/foreign-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type ReadingContext, readYaml } from '../yaml/read-yaml.ts';
import { atOnce } from '../yaml/slices.ts';
import { type GatewaySection, resolveParts } from './desired.ts';

/** The length of a manifest, in characters, that takes long to read: about 25,000 keys. */
const LONG = 500_000;

/** The characters at the beginning of a manifest among which its gateway is looked for. */
const BEGINNING = 50_000;

const GATEWAY = /(?:^|\n)gateway[ \t]*:/;

/** A line that begins with a field. */
const FIELD = /\n[a-z]\w*[ \t]*:/gi;

/** The word as it could be a field, also of a map in braces, or with an escape in it. */
const GATEWAY_OR_ESCAPE = /(?<![\w.-])gateway(?![\w.-])|\\/;

/** The beginning of a text up to the field after `gateway`, unless what follows may have such a field too. */
function beginningOf(text: string): string | undefined {
  const beginning = text.slice(0, BEGINNING);
  const found = GATEWAY.exec(beginning);
  if (!found) return undefined;
  FIELD.lastIndex = found.index + 1;
  const end = FIELD.exec(beginning)?.index;
  if (end === undefined || GATEWAY_OR_ESCAPE.test(text.slice(end))) return undefined;
  const head = text.slice(0, end + 1);
  // An alias of an anchor could also stand for the field.
  return head.includes('&') ? undefined : head;
}

/**
 * Reads the gateway of a long manifest ahead of the rest. What comes before the field after it is a text of its own, which is read as
 * any manifest is.
 *
 * @returns undefined where the rest might name another one, and where anything is wrong
 */
export function tryReadGateway(file: SourceFile, context: ReadingContext): GatewaySection | undefined {
  const text = file.text.length < LONG || file.module || !isManifest(file.text) ? undefined : beginningOf(file.text);
  if (text === undefined) return undefined;
  const report = collect(() => [file.name]);
  const { parts } = atOnce(readYaml({ ...file, text }, report, { ...context, onReplaced: () => {} }));
  const { gateway } = atOnce(resolveParts(parts, report));
  return report.hasErrors() ? undefined : gateway;
}

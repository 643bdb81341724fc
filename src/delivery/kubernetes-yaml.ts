import { Document, visit } from 'yaml';

/** Text that no reader takes for a number, a date or an operator. */
const PLAIN = /^[A-Za-z][\x20-\x7e]*$/;

/** The characters that Kubernetes cannot read or takes for the end of a line. */
const SPECIAL = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * Renders an object as a document of Kubernetes, whose tools read YAML 1.1: an unquoted `on` is a Boolean there, `1_000` a number,
 * and a name that looks like one is renamed.
 */
export function renderKubernetesYaml(object: unknown): string {
  const document = new Document(object, { compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && !PLAIN.test(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
  const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return document.toString({ lineWidth: 0 }).replace(SPECIAL, escaped);
}

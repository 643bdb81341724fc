import { type ScalarTag, stringify, type Tags } from 'yaml';

/** Text that no reader takes for a number, a date or an operator. */
const PLAIN = /^[A-Za-z][\x20-\x7e]*$/;

/** The characters that Kubernetes cannot read or takes for the end of a line. */
const SPECIAL = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** Makes a tag quote each text that is not plain. */
function quoting(tag: Tags[number]): Tags[number] {
  if (typeof tag !== 'object' || tag.collection || tag.tag !== 'tag:yaml.org,2002:str') return tag;
  const { stringify: write } = tag;
  const quoted: ScalarTag['stringify'] = (item, ...more) => {
    if (!PLAIN.test(String(item.value))) item.type = 'QUOTE_DOUBLE';
    return write?.(item, ...more) ?? '';
  };
  return { ...tag, stringify: quoted };
}

/**
 * Renders an object as a document of Kubernetes, whose tools read YAML 1.1: an unquoted `on` is a Boolean there, `1_000` a number,
 * and a name that looks like one is renamed.
 */
export function renderKubernetesYaml(object: unknown): string {
  const text = stringify(object, {
    compat: 'yaml-1.1',
    customTags: (tags) => tags.map(quoting),
    lineWidth: 0,
  });
  return text.replace(SPECIAL, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

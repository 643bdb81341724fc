import { createHash } from 'node:crypto';
import {
  canonicalJson,
  type ObservedKey,
  type ObservedState,
  renderDecimal,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
} from '../../domain/index.ts';
import { rememberSets } from '../plan/diff.ts';

/** Returns remainder plus use, which traffic does not change: the grant. Null where the use is unknown. */
export const granted = (key: Pick<ObservedKey, 'remain' | 'used' | 'unlimited'>): number | null =>
  key.unlimited || key.used === undefined ? null : key.remain + key.used;

/** The facts that are not settings, or not as the key holds them. */
const OWN = {
  remain: granted,
  id: ({ id }: ObservedKey) => id,
  disabled: ({ status }: ObservedKey) => status === 'disabled',
};

const isOwn = (fact: string): fact is keyof typeof OWN => Object.hasOwn(OWN, fact);

/** In the order of canonical JSON. */
const FACTS = [...new Set<SettingName | keyof typeof OWN>([...SETTING_NAMES, 'id', 'disabled'])].sort();

/** The value of no key. */
const UNREAD: unknown = Symbol('unread');

/** Returns what renders the facts of a key as canonical JSON. */
function openRenderer(): (key: ObservedKey) => string {
  const normal = rememberSets();
  const rows = FACTS.map((fact) => ({
    read: (key: ObservedKey): unknown => (isOwn(fact) ? OWN[fact](key) : normal(SETTINGS[fact].kind, key[fact])),
    name: `"${fact}":`,
    // Those of the key before, which often has the same.
    value: UNREAD,
    text: '',
  }));
  return (key) => {
    let text = '';
    for (const row of rows) {
      const value = row.read(key);
      if (row.value !== value) {
        row.value = value;
        row.text = row.name + canonicalJson(value);
      }
      text += text === '' ? row.text : `,${row.text}`;
    }
    return `{${text}}`;
  };
}

/** The characters that are hashed together: the text of a large account is not held as a whole. */
const CHUNK = 65_536;

/** SHA-256 over what was observed of these keys and the rate, in any order, without what consumption moves. */
export function fingerprint({ account, quotaPerUnit }: ObservedState, keys: readonly ObservedKey[]): string {
  const render = openRenderer();
  const hash = createHash('sha256');
  let text = `{"account":${canonicalJson(account)},"facts":[`;
  [...keys]
    .sort((a, b) => a.id - b.id)
    .forEach((key, i) => {
      text += `${i === 0 ? '' : ','}${render(key)}`;
      if (text.length < CHUNK) return;
      hash.update(text);
      text = '';
    });
  hash.update(`${text}],"rate":${canonicalJson(renderDecimal(quotaPerUnit))}}`);
  return `sha256:${hash.digest('hex')}`;
}

import pMap from 'p-map';
import {
  asFault,
  type Delivery,
  type DesiredKey,
  type DesiredState,
  declaredName,
  Fault,
  isSameAudience,
  isSelected,
  type KeyId,
  type KeySelection,
  type ObservedKey,
  type Secret,
  type SinkAudience,
  type SinkOfKey,
} from '../../domain/index.ts';
import { match } from '../observe/match.ts';
import type { KeyStore } from '../ports.ts';
import { isOld } from '../rotate/lineage.ts';
import { refuseForeign } from './deliver-secret.ts';
import type { SecretSink, SinkAccess } from './port.ts';

export interface SinkObservation {
  readonly sinks: SinkAccess;
  /** Absent: all keys. */
  readonly selection?: KeySelection | undefined;
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

/** One sink as it was observed: what is to be done about it, or that it holds the secret of its key. */
export type ObservedSink = Delivery | (SinkOfKey & { readonly action: 'current'; readonly audience?: SinkAudience });

interface SinkSubject {
  readonly key: DesiredKey;
  readonly sink: SecretSink;
  /** Undefined: the key does not exist yet. */
  readonly live?: ObservedKey;
  /** The older generations of the key: a sink that holds the secret of one of them is not somebody else’s. */
  readonly older: readonly ObservedKey[];
}

/**
 * Looks at the sinks of the declared keys; of a key that rotates, it expects the secret of the current generation there. Writes
 * nothing. Trouble with one sink is part of the result, and does not stop the others. Secrets are revealed in one batch, only
 * for keys with a sink that may be contacted, and are not part of the result.
 */
export async function observeSinks(
  desired: DesiredState,
  keys: readonly ObservedKey[],
  store: Pick<KeyStore, 'reveal'>,
  observation: SinkObservation,
): Promise<readonly ObservedSink[]> {
  const { sinks, selection = {}, concurrency, signal } = observation;
  const { pairs, missing } = match(desired, keys);
  const asked = (key: DesiredKey): boolean => isSelected(selection, [declaredName(key), key.name], key.metadata);
  const subjects: readonly SinkSubject[] = [
    ...missing.filter(asked).flatMap((key) => sinks.of(key.name).map((sink) => ({ key, sink, older: [] }))),
    ...pairs
      .filter((pair) => !isOld(pair) && asked(pair.desired))
      .flatMap(({ desired: key, live, lineage }) => {
        const older = (lineage?.members ?? []).flatMap((member) => (member.live.id === live.id ? [] : [member.live]));
        return sinks.of(declaredName(key)).map((sink) => ({ key, sink, live, older }));
      }),
  ];
  const secrets = await revealFor(subjects, store);
  return await pMap(subjects, (subject) => lookAt(subject, secrets, signal), { concurrency });
}

/** Names the keys of which a sink lacks the secret of the current generation, or may lack it: also where nobody looked. */
export function undeliveredNames(
  { keys }: Pick<DesiredState, 'keys'>,
  observed: readonly ObservedSink[] | undefined,
): ReadonlySet<string> {
  if (observed === undefined) return new Set(keys.filter(({ deliver = [] }) => deliver.length > 0).map(declaredName));
  return new Set(observed.flatMap(({ action, name }) => (action === 'current' ? [] : [name])));
}

type Revealed = ReadonlyMap<KeyId, Secret> | Fault;

async function revealFor(subjects: readonly SinkSubject[], store: Pick<KeyStore, 'reveal'>): Promise<Revealed> {
  const ids = subjects.flatMap(({ live, older, sink }) =>
    live && sink.withheld === undefined ? [live.id, ...older.map(({ id }) => id)] : [],
  );
  if (ids.length === 0) return new Map();
  return await store.reveal([...new Set(ids)]).catch(asFault);
}

const unrevealed = ({ name, id }: ObservedKey): Fault =>
  new Fault('gateway.not-found', `The gateway returned no secret for “${name}” (id ${id}).`, {
    hint: 'The key may have been deleted, or the gateway does not reveal secrets.',
  });

async function lookAt(
  { key, sink, live, older }: SinkSubject,
  secrets: Revealed,
  signal: AbortSignal | undefined,
): Promise<ObservedSink> {
  const name = declaredName(key);
  const of = { name, sink: sink.id, kind: sink.kind, ...(key.place ? { place: key.place } : {}) };
  if (sink.withheld !== undefined) return { ...of, action: 'withheld', why: sink.withheld };
  try {
    const held = live && !(secrets instanceof Fault) ? [live, ...older].flatMap(({ id }) => secrets.get(id) ?? []) : [];
    const audience = await sink.audience?.(held);
    const seen = audience ? { ...of, audience } : of;
    if (live === undefined) {
      const holder = await refuseForeign(sink, [], signal);
      return { ...seen, action: 'write', reason: holder === 'absent' ? 'new-key' : 'replaces' };
    }
    if (secrets instanceof Fault) throw secrets;
    const secret = secrets.get(live.id);
    if (secret === undefined) throw unrevealed(live);
    const found = await sink.compare(secret, signal);
    if (found === 'current') return { ...seen, action: 'current' };
    const known = older.flatMap(({ id }) => secrets.get(id) ?? []);
    await refuseForeign(sink, known, signal);
    const isSame = audience?.before === undefined || isSameAudience(audience.now, audience.before);
    const differs = isSame ? 'differs' : 'audience';
    return { ...seen, action: 'write', reason: found === 'other' ? differs : found };
  } catch (thrown) {
    const { code, message } = asFault(thrown);
    return { ...of, action: 'blocked', code, why: message };
  }
}

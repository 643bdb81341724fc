import { asFault, FAULTS, Fault, type Secret } from '../../domain/index.ts';
import type { SecretSink, SinkHolder, SinkMetadata } from './port.ts';

export interface DeliverOptions {
  readonly metadata: SinkMetadata;
  /** Older secrets of the same key: a sink that holds one of them is not somebody else’s. */
  readonly known?: readonly Secret[];
  readonly signal?: AbortSignal | undefined;
}

/** A secret that is in its sink. */
export interface Delivered {
  /** False: the sink cannot be read, so its answer to the write is all that is known. */
  readonly verified: boolean;
  /** False: the sink had it already, and nothing was written. */
  readonly written: boolean;
  /** The value as the readers of the sink get it; absent where it cannot be read. */
  readonly value?: Secret;
  /** The others who can read it there. */
  readonly exposure?: string;
}

/**
 * Brings a secret into its sink, and reads it back where that is possible. A sink that holds it already is not written to.
 * A write whose answer was lost is looked up.
 *
 * @throws Fault `sink.foreign`, `sink.not-kept`, and those of the sink; with `retry: look`, the write may have taken effect.
 */
export async function deliverSecret(
  sink: SecretSink,
  secret: Secret,
  { metadata, known = [], signal }: DeliverOptions,
): Promise<Delivered> {
  if ((await sink.compare(secret, signal)) === 'current') return { ...(await readBack(sink, signal)), written: false };
  await refuseForeign(sink, known, signal);
  const lost = await sink.write(secret, metadata, signal).then(() => undefined, asFault);
  if (lost && FAULTS[lost.code].retry !== 'look') throw lost;
  const found = await sink.compare(secret).catch((thrown) => {
    throw lost ?? thrown;
  });
  if (found === 'unknown' && lost === undefined) return { verified: false, written: true };
  if (found === 'current') return { ...(await readBack(sink, signal)), ...(await exposureOf(sink)), written: true };
  throw lost ?? notKept(sink);
}

/** The secret is in its sink, whatever this shows. */
async function exposureOf(sink: SecretSink): Promise<Pick<Delivered, 'exposure'>> {
  try {
    // A sink of a program may return anything.
    const exposure: unknown = await sink.exposure?.();
    return typeof exposure === 'string' && exposure !== '' ? { exposure } : {};
  } catch {
    return {};
  }
}

async function readBack(
  sink: SecretSink,
  signal: AbortSignal | undefined,
): Promise<Pick<Delivered, 'verified' | 'value'>> {
  // What it holds was compared already: only the checks lose the value that was delivered.
  const value = await sink.read(signal).catch(() => undefined);
  return { verified: value !== undefined, ...(value ? { value } : {}) };
}

/**
 * Probes a sink, and returns whose entry it has.
 *
 * @throws Fault `sink.foreign` when it holds the value of somebody else, and those of the sink
 */
export async function refuseForeign(
  sink: SecretSink,
  known: readonly Secret[],
  signal: AbortSignal | undefined,
): Promise<SinkHolder> {
  const holder = await sink.probe(signal);
  if (holder !== 'foreign' || sink.adopt) return holder;
  for (const secret of known) if ((await sink.compare(secret, signal)) === 'current') return 'ours';
  throw new Fault('sink.foreign', `“${sink.id}” holds a value that Keyplane did not write.`, {
    hint: 'If nobody needs that value, set `adopt: true` for this sink.',
  });
}

const notKept = ({ id }: SecretSink): Fault =>
  new Fault('sink.not-kept', `“${id}” accepted the secret and does not hold it.`, {
    hint: 'Somebody else may be writing to it. Run the command again.',
  });

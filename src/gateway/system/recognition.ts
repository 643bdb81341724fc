import { asFault, Fault, type ObservedKey, oncePerValue, type UnkeptSettings } from '../../domain/index.ts';
import {
  contradictedStatements,
  type GatewayKind,
  type GatewayProfile,
  profileOfDialect,
  SHIPPED_PROFILES,
  SYSTEM_LIMITS,
  unkeptBy,
  unsupportedStatements,
} from '../../wire/index.ts';
import { beginSession, type Session } from './session.ts';
import type { KeyPage, SystemApi } from './system-api.ts';

/** The System API of a gateway, and what is known of its kind. */
export interface RecognizedApi {
  /** Sends a write only once the gateway has shown keys in the form that its kind promises. */
  readonly api: SystemApi;
  unkept(): UnkeptSettings | undefined;
  /** @throws Fault `gateway.unsupported` */
  ensureWritable(): Promise<void>;
}

type Evidence = Pick<Session, 'kind' | 'dialect' | 'hasOtherSign' | 'listed' | 'read' | 'contradictions'>;

const HINT = 'Nothing was written. docs/conformance.md describes how to make a profile of your gateway.';

const unsupported = (message: string, statements: readonly string[] = []): Fault =>
  new Fault('gateway.unsupported', message, {
    hint: HINT,
    remedy: 'choose-profile',
    ...(statements.length > 0 ? { detail: { statements } } : {}),
  });

const asList = (statements: readonly string[]): string => statements.map((each) => `“${each}”`).join(', ');

/** Does the kind of this gateway promise another list than the one that was read? Then one of the two is wrong. */
const isOfOtherKind = ({ kind, dialect }: Evidence): boolean =>
  dialect !== undefined && kind !== undefined && (kind.dialect ?? 'contract') !== dialect;

/** The reason why nothing may be written; undefined: it may. */
function refusalOf(evidence: Evidence, profile: GatewayProfile | undefined): Fault | undefined {
  const { kind, listed, contradictions } = evidence;
  if (profile === undefined) {
    if (kind === undefined || !listed || !isOfOtherKind(evidence)) return undefined;
    return unsupported(
      `The gateway answers like ${kind.title}, but its list of keys has the form of another kind: Keyplane does not write to it unless a profile is chosen.`,
    );
  }
  const statements = unsupportedStatements(profile);
  if (statements.length > 0) {
    return unsupported(`Keyplane cannot write to a gateway with this profile: ${asList(statements)}.`, statements);
  }
  if (contradictions.length === 0) return undefined;
  return unsupported(
    `The keys that the gateway lists contradict its profile: ${asList(contradictions)}. The profile is that of another gateway, or of another version.`,
    contradictions,
  );
}

/** Is there a profile, chosen or presumed, or a sign of another kind, that nothing has confirmed? The record of one key does not show the form of the list. */
function needsList({ kind, hasOtherSign, listed, read }: Evidence, profile: GatewayProfile | undefined): boolean {
  if (listed) return false;
  if (profile !== undefined || kind?.dialect !== undefined || hasOtherSign) return true;
  return kind !== undefined && !read;
}

/** The list has neither the form of the contract nor that of this kind of gateway. */
function unreadable(thrown: unknown, { kind }: Evidence): unknown {
  const fault = asFault(thrown);
  if (fault.code !== 'gateway.unexpected-shape' || kind?.dialect === undefined) return thrown;
  const message = `The gateway answers like ${kind.title}, but Keyplane cannot read its list of keys. ${fault.message}`;
  return new Fault('gateway.unsupported', message, { hint: HINT, detail: fault.detail, cause: fault });
}

/**
 * Watches what the System API reads, to recognize the kind of the gateway, and lets writes through only to a gateway that it
 * knows. Sends no request of its own, apart from one page of the list before a write for which none was read.
 *
 * @param profile chosen by somebody; omitted: presumed from the status.
 */
export function recognizing(
  api: SystemApi,
  profile: GatewayProfile | undefined,
  evidence: Evidence = beginSession(profile),
): RecognizedApi {
  const noteKeys = (keys: readonly ObservedKey[], total: boolean): void => {
    if (profile === undefined || evidence.contradictions.length > 0) return;
    const [records, secrets] = [keys.map(({ record }) => record), keys.map(({ masked }) => masked)];
    evidence.contradictions = contradictedStatements(profile, { hasTotal: total, secrets, records });
  };
  const notePage = (page: KeyPage): KeyPage => {
    evidence.listed = true;
    noteKeys(page.keys, page.total !== undefined);
    return page;
  };
  const listKeys: SystemApi['listKeys'] = (...query) =>
    api.listKeys(...query).then(notePage, (thrown: unknown) => {
      throw unreadable(thrown, evidence);
    });
  const refuse = (): void => {
    const refusal = refusalOf(evidence, profile);
    if (refusal) throw refusal;
  };
  const ensureWritable = async (): Promise<void> => {
    refuse();
    if (!needsList(evidence, profile)) return;
    await listKeys({ page: 1, size: SYSTEM_LIMITS.pageSize, excludeSmartRouting: false });
    refuse();
  };
  // Every comparison of a key asks for it.
  const unkept = oncePerValue((kind: GatewayKind | undefined) => unkeptOf(kind, profile));
  const writing =
    <A extends readonly unknown[], R>(write: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      ensureWritable().then(() => write(...args));
  return {
    unkept: () => unkept(evidence.kind),
    ensureWritable,
    api: {
      ...api,
      listKeys,
      async readKey(id) {
        const key = await api.readKey(id);
        evidence.read = true;
        return key;
      },
      createKey: writing(api.createKey),
      updateKey: writing(api.updateKey),
      setKeyStatus: writing(api.setKeyStatus),
      deleteKey: writing(api.deleteKey),
      deleteKeys: writing(api.deleteKeys),
    },
  };
}

function presumedProfile({ dialect, profile }: Partial<GatewayKind> = {}): GatewayProfile | undefined {
  if (dialect !== undefined) return profileOfDialect(dialect);
  return profile === undefined ? undefined : SHIPPED_PROFILES[profile];
}

/** The settings that a gateway does not keep, by the profile that was chosen, or by that of its kind. */
export function unkeptOf(
  kind: GatewayKind | undefined,
  profile: GatewayProfile | undefined,
): UnkeptSettings | undefined {
  const chosen = profile ?? presumedProfile(kind);
  if (chosen === undefined) return undefined;
  const { everywhere, outsideAuto } = unkeptBy(chosen);
  if (everywhere.length + outsideAuto.length === 0) return undefined;
  return {
    everywhere,
    outsideAuto,
    source: profile ? 'stated' : 'presumed',
    ...(kind === undefined ? {} : { kind: kind.title }),
  };
}

import type { Place } from '../diagnostic.ts';
import { matchesKeyGlob } from '../key/key-glob.ts';
import { byText, type NameGlob } from '../key/name.ts';
import { effectiveStatus } from '../key/status.ts';
import type { UnixSeconds } from '../window.ts';
import {
  type AuditedKey,
  type AuditLimits,
  type AuditRuleName,
  type AuditSeverity,
  auditRule,
  auditRuleNames,
  SEVERITIES,
} from './rules.ts';

/** The permission to leave a finding for a time, with the reason. */
export interface Waiver {
  readonly rule: AuditRuleName;
  readonly keys: NameGlob;
  readonly reason: string;
  /** From then on the waiver is itself a finding, and waives nothing. */
  readonly until: UnixSeconds;
  readonly place?: Place;
}

/** One answer of an audit. An expired waiver is a finding without a key. */
export interface AuditFinding {
  readonly rule: AuditRuleName | 'expired-waiver';
  readonly severity: AuditSeverity;
  readonly name: string;
  readonly id?: number;
  readonly fact: string;
  readonly remedy: string;
  readonly owner?: string;
  readonly place?: Place;
  /** Set: somebody waived it, for this reason. */
  readonly waiver?: Waiver;
}

export interface AuditReport {
  /** The most severe first, without those that are waived. */
  readonly findings: readonly AuditFinding[];
  readonly waived: readonly AuditFinding[];
  /** Waivers that match no finding: they are out of date. */
  readonly unmatched: readonly Waiver[];
  /** The number of keys that can be used. */
  readonly audited: number;
  /** Keys that cannot be used: disabled and expired ones. */
  readonly inactive: number;
}

const rankOf = ({ severity }: AuditFinding): number => -SEVERITIES.indexOf(severity);

function findingsOf(audited: AuditedKey, limits: AuditLimits): readonly AuditFinding[] {
  const { key, declared, metadata } = audited;
  return auditRuleNames().flatMap((rule) => {
    const { severity, fact, remedy, finds } = auditRule(rule);
    if (!finds(audited, limits)) return [];
    return [
      {
        ...{ rule, severity, name: key.name, id: key.id, fact, remedy },
        ...(metadata?.owner === undefined ? {} : { owner: metadata.owner }),
        ...(declared?.place ? { place: declared.place } : {}),
      },
    ];
  });
}

const expired = ({ rule, keys, place }: Waiver): AuditFinding => ({
  rule: 'expired-waiver',
  severity: 'high',
  name: keys,
  fact: `the waiver of ${rule} has expired`,
  remedy: 'Fix what it waives, or extend it with a reason.',
  ...(place ? { place } : {}),
});

const matches = ({ rule, keys }: Waiver, finding: AuditFinding): boolean =>
  rule === finding.rule && matchesKeyGlob([keys], finding.name);

/** Judges the keys that can be used by every rule, and applies the waivers. Pure. */
export function audit(keys: readonly AuditedKey[], waivers: readonly Waiver[], limits: AuditLimits): AuditReport {
  const isActive = ({ key }: AuditedKey): boolean => {
    const status = effectiveStatus(key, limits.now);
    return status !== 'disabled' && status !== 'expired';
  };
  const active = keys.filter(isActive);
  const all = active.flatMap((each) => findingsOf(each, limits));
  const valid = waivers.filter(({ until }) => until > limits.now);
  const waived = all.flatMap((finding) => {
    const waiver = valid.find((each) => matches(each, finding));
    return waiver ? [{ ...finding, waiver }] : [];
  });
  const left = all.filter((finding) => !valid.some((waiver) => matches(waiver, finding)));
  const gone = waivers.filter(({ until }) => until <= limits.now).map(expired);
  const order = (a: AuditFinding, b: AuditFinding): number =>
    rankOf(a) - rankOf(b) || byText(a.name, b.name) || byText(a.rule, b.rule);
  return {
    findings: [...gone, ...left].sort(order),
    waived: waived.sort(order),
    unmatched: valid.filter((waiver) => !all.some((finding) => matches(waiver, finding))),
    audited: active.length,
    inactive: keys.length - active.length,
  };
}

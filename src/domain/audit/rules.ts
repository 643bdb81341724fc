import type { DesiredKey, ObservedKey } from '../key/key.ts';
import { lastUseOf } from '../key/last-use.ts';
import type { KeyMetadata } from '../key/metadata.ts';
import { admitsTheInternet } from '../kinds/ip-coverage.ts';
import type { UnixSeconds } from '../window.ts';

export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type AuditSeverity = (typeof SEVERITIES)[number];

/** One live key, as an audit judges it. */
export interface AuditedKey {
  readonly key: ObservedKey;
  readonly declared?: DesiredKey;
  readonly metadata?: KeyMetadata;
  /** True: an older generation, which lives on for the overlap. */
  readonly isReplaced?: boolean;
}

/** The limits of an audit, and whether a manifest is there to compare with. */
export interface AuditLimits {
  readonly now: UnixSeconds;
  /** Seconds without use after which a key counts as unused. */
  readonly unused: number;
  /** The age at which a key without a rotation is due, in seconds. */
  readonly maxAge: number;
  readonly hasManifest: boolean;
}

interface AuditRule {
  readonly severity: AuditSeverity;
  /** One sentence for the documentation and for SARIF. */
  readonly doc: string;
  readonly finds: (audited: AuditedKey, limits: AuditLimits) => boolean;
  /** One sentence about the key: “it never expires”. */
  readonly fact: string;
  readonly remedy: string;
}

/** The age of the secret: a gateway never changes the secret of a key. */
const isOlder = ({ createdAt }: ObservedKey, age: number, now: UnixSeconds): boolean =>
  createdAt !== undefined && now - createdAt > age;

function isUnused(key: ObservedKey, { now, unused }: AuditLimits): boolean {
  const last = lastUseOf(key);
  if (typeof last === 'number') return last < now - unused;
  return last === 'never' && (key.createdAt ?? now) < now - unused;
}

/** The questions of a security review, in the order of reports. */
const AUDIT_RULES = {
  undeclared: {
    severity: 'high',
    doc: 'A key that no manifest declares.',
    finds: ({ declared }, { hasManifest }) => hasManifest && declared === undefined,
    fact: 'no manifest declares it',
    remedy: 'Declare the key, or delete it.',
  },
  'open-ip-rule': {
    severity: 'high',
    doc: 'IP rules that together admit at least half of the internet, such as `0.0.0.0/0`.',
    finds: ({ key }) => admitsTheInternet(key.allowIps ?? []),
    fact: 'its IP rules admit at least half of the internet',
    remedy: 'Replace them by the networks that use the key.',
  },
  'no-budget': {
    severity: 'high',
    doc: 'A key without a limit: it can spend the whole wallet.',
    finds: ({ key }) => key.unlimited,
    fact: 'it has no limit and can spend the whole wallet',
    remedy: 'Declare a budget.',
  },
  'no-expiry': {
    severity: 'medium',
    doc: 'A key that never expires.',
    finds: ({ key }) => key.expires === null,
    fact: 'it never expires',
    remedy: 'Declare an expiry.',
  },
  'no-allowlist': {
    severity: 'medium',
    doc: 'A key that may use every model.',
    finds: ({ key }) => key.models === null,
    fact: 'it may use every model',
    remedy: 'Declare the models that it needs.',
  },
  unused: {
    severity: 'medium',
    doc: 'A key that nobody used for a long time, as far as the gateway reports the last use.',
    finds: ({ key }, limits) => isUnused(key, limits),
    fact: 'nobody used it for a long time',
    remedy: 'Ask its owner, then disable and delete it.',
  },
  'rotation-due': {
    severity: 'medium',
    doc: 'A secret that is older than the rotation of the key allows, or older than the greatest age without one.',
    finds: ({ key, declared, isReplaced }, { now, maxAge }) => {
      const { every, overlap } = declared?.rotate ?? { every: maxAge, overlap: 0 };
      return isOlder(key, every + (isReplaced ? overlap : 0), now);
    },
    fact: 'its secret is due for rotation',
    remedy: 'Rotate the key, and declare how often.',
  },
  'no-owner': {
    severity: 'medium',
    doc: 'A declared key without an owner.',
    finds: ({ declared, metadata }) => declared !== undefined && metadata?.owner === undefined,
    fact: 'nobody is named as its owner',
    remedy: 'Declare its owner, or an owner of its name.',
  },
  'no-ip-rule': {
    severity: 'low',
    doc: 'A key that every address may use.',
    finds: ({ key }) => key.allowIps === null,
    fact: 'every address may use it',
    remedy: 'Declare the networks that use the key.',
  },
} as const satisfies Readonly<Record<string, AuditRule>>;

export type AuditRuleName = keyof typeof AUDIT_RULES;
/** A function, so that bundlers omit the rules where nothing asks for their names. */
export const auditRuleNames = () => Object.keys(AUDIT_RULES) as readonly AuditRuleName[];

export const auditRule = (name: AuditRuleName): AuditRule => AUDIT_RULES[name];

import * as z from 'zod';
import { SEVERITIES } from '../../../src/domain/index.ts';
import { LANGUAGES } from '../../../src/manifest/index.ts';
import { keyId, place } from './values.ts';

const name = z.string();
const leftOut = z.array(z.object({ what: z.string(), key: name.optional() }));

const claim = z.object({
  id: keyId,
  readable: z.boolean(),
  process: z.int().optional(),
  host: z.string().optional(),
  run: z.string().optional(),
  since: z.int().optional(),
  renewals: z.int().optional(),
});

const finding = z.object({
  check: z.string(),
  state: z.enum(['ok', 'warning', 'failed', 'skipped']),
  says: z.string(),
  hint: z.string().optional(),
  exit: z.int().optional(),
});

const conformanceFinding = z.object({
  id: z.string(),
  level: z.string(),
  title: z.string(),
  verdict: z.enum(['conforms', 'known-deviation', 'unknown-deviation', 'unprovable', 'engine-error']),
  observed: z.unknown().optional(),
  meaning: z.string(),
  ms: z.number(),
});

const waiver = { reason: z.string(), until: z.string() };

const auditFinding = z
  .object({
    rule: z.string(),
    severity: z.enum(SEVERITIES),
    name: z.string(),
    id: keyId.optional(),
    message: z.string(),
    remedy: z.string(),
    owner: z.string().optional(),
    place: place.optional(),
    waiver: z.object(waiver).optional(),
  })
  .meta({ id: 'AuditFinding' });

/** A document that has a definition of its own. */
const document = z.record(z.string(), z.unknown());

export const TOOL_KINDS = {
  init: z.object({ written: z.array(z.string()), next: z.array(z.string()).optional() }),
  validate: z.union([
    z.object({ valid: z.literal(false) }),
    z.object({
      valid: z.literal(true),
      files: z.array(z.string()),
      keys: z.int(),
      withoutBudget: z.array(name),
      gateway: z.string().nullable().optional(),
      isUnreadable: z.boolean().optional(),
      notKept: z.array(z.object({ key: name, field: z.string(), problem: z.string() })).optional(),
    }),
  ]),
  import: z.object({
    manifest: z.string(),
    keys: z.int(),
    skipped: z.array(z.object({ id: keyId, name, reason: z.string() })),
    leftOut,
  }),
  convert: z.object({ language: z.enum(LANGUAGES), text: z.string(), leftOut }),
  schema: document,
  'lock-list': z.object({ claims: z.array(claim) }),
  'lock-break': z.object({ removed: z.array(claim) }),
  'provider-install': z.object({
    version: z.string(),
    folders: z.array(z.object({ folder: z.string(), placed: z.enum(['written', 'replaced', 'unchanged']) })),
    otherVersions: z.array(z.string()),
  }),
  'provider-schema': document,
  audit: z.object({
    findings: z.array(auditFinding),
    waived: z.array(auditFinding),
    unmatchedWaivers: z.array(z.object({ rule: z.string(), keys: z.string(), ...waiver, place: place.optional() })),
    hidden: z.int().min(0),
    audited: z.int().min(0),
    inactive: z.int().min(0),
    hasManifest: z.boolean(),
  }),
  doctor: z.object({ healthy: z.boolean(), findings: z.array(finding) }),
  conformance: z.object({
    url: z.string(),
    level: z.string(),
    findings: z.array(conformanceFinding),
    leftovers: z.array(name),
    requests: z.int(),
  }),
  gateway: z.object({
    url: z.string(),
    accounts: z.array(z.object({ userId: z.int(), accessToken: z.string() })),
    unplayed: z.array(z.string()).optional(),
  }),
  completion: z.object({ script: z.string() }),
} as const;

import type { Guardrails, UnixSeconds } from '../../domain/index.ts';
import { isSecretField, type Report, reportUnknown } from '../../source/index.ts';
import { adviseRootField, DEFAULTS_HINTS, OWNERSHIP_HINTS, TOKEN_HINTS } from '../schema/advice/field.ts';
import { didYouMean, inFlow } from '../schema/advice/form.ts';
import { AUDIT_FORMS } from '../schema/audit.ts';
import type { Forms } from '../schema/forms.ts';
import { DEFAULTS_FORMS, GATEWAY_FORMS, OWNERSHIP_FORMS, ROOT_FIELDS } from '../schema/manifest.ts';
import { type Entry, hasReferences, type MapNode, plain, tryFindEntry, type YamlNode } from '../yaml/node.ts';
import { type DeclaredCheck, readChecks } from './declared-checks.ts';
import { type DeclaredKey, isInKey, readKeys } from './declared-keys.ts';
import { asMap, type MapReading, readFields, type ValidatedFields } from './fields.ts';
import { type KeyReading, type ParsedKeyFields, readKeyFields } from './key-fields.ts';
import { type Belongs, reportInColumn } from './misplaced.ts';
import { type DeclaredOwners, readOwners } from './owners.ts';
import { readPolicy } from './policy.ts';
import { checkVersion, isVersion } from './version.ts';

/** One document of a manifest, every field validated separately. Invalid fields are reported and omitted. */
export interface Part {
  readonly folder: string;
  readonly gateway: ValidatedFields<typeof GATEWAY_FORMS>;
  readonly ownership: ValidatedFields<typeof OWNERSHIP_FORMS>;
  readonly owners: DeclaredOwners;
  readonly audit?: ValidatedFields<typeof AUDIT_FORMS>;
  readonly policy?: Guardrails;
  /** Is there a policy, valid or not? */
  readonly hasPolicy?: boolean;
  readonly defaults: ParsedKeyFields<typeof DEFAULTS_FORMS>;
  readonly keys: readonly DeclaredKey[];
  /** Definitions of checks, also invalid ones: keys may select them. */
  readonly checks: readonly DeclaredCheck[];
  /** Names of single protected keys, in addition to `ownership.protect`. */
  readonly kept?: readonly string[];
}

interface PartContext {
  readonly folder: string;
  readonly report: Report;
  readonly now: UnixSeconds;
  /** A file of a policy holds nothing else. */
  readonly isPolicyFile?: boolean;
}

/** Fields without references: they decide where credentials go. */
const ORIGIN = ['url', 'accessTokenFile', 'profile'];

const SECTIONS: Readonly<Record<string, Forms>> = {
  gateway: GATEWAY_FORMS,
  ownership: OWNERSHIP_FORMS,
  defaults: DEFAULTS_FORMS,
};

const isInSection: Belongs = (outer, { name, node }) => {
  if (ROOT_FIELDS.includes(name)) return false;
  if (outer === 'keys' || outer === 'checks' || outer === 'owners') return node.kind === 'map';
  return Object.hasOwn(SECTIONS, outer) && Object.hasOwn(SECTIONS[outer] ?? {}, name);
};

/** Validates one document. @returns undefined when it is not a manifest of a supported version. */
export function readPart(node: YamlNode, context: PartContext): Part | undefined {
  const { folder, report, now } = context;
  const reading: MapReading = { report, expects: 'map' };
  const root = asMap(node, { report, expects: 'manifest' }, 'manifest');
  if (!root || !checkVersion(root, report)) return undefined;
  const reported = reportInColumn(root, isInSection, report);
  const entries = root.entries.filter((entry) => !reported.has(entry));
  const misnamed = tryFindEntry(root, 'version') ? undefined : entries.find(isVersion);
  const fields = context.isPolicyFile ? POLICY_FILE_FIELDS : ROOT_FIELDS;
  for (const entry of entries) if (entry !== misnamed) checkRootField(entry, fields, report);
  const nodeOf = (name: string): YamlNode | undefined => entries.find((each) => each.name === name)?.node;
  const section = (name: string): MapNode | undefined => {
    const own = nodeOf(name);
    return own && asMap(own, reading, name, adviseSection(name, own));
  };
  const [gateway, ownership, defaults] = [section('gateway'), section('ownership'), section('defaults')];
  const audit = section('audit');
  const policyNode = nodeOf('policy');
  const policy = policyNode && readPolicy(policyNode, report);
  const [keys, checks, owners] = [nodeOf('keys'), nodeOf('checks'), nodeOf('owners')];
  const ofDefaults: KeyReading = { ...reading, now, hints: DEFAULTS_HINTS, belongs: isInKey };
  return {
    folder,
    gateway: gateway ? readFields(GATEWAY_FORMS, gateway, { ...reading, hints: TOKEN_HINTS, verbatim: ORIGIN }) : {},
    ownership: ownership ? readFields(OWNERSHIP_FORMS, ownership, { ...reading, hints: OWNERSHIP_HINTS }) : {},
    owners: owners ? readOwners(owners, report) : {},
    ...(policy ? { policy } : {}),
    hasPolicy: policyNode !== undefined,
    ...(audit ? { audit: readFields(AUDIT_FORMS, audit, reading) } : {}),
    defaults: defaults ? readKeyFields(DEFAULTS_FORMS, defaults, ofDefaults) : {},
    keys: keys ? readKeys(keys, context) : [],
    checks: checks ? readChecks(checks, context) : [],
  };
}

/** Advises on a section that is one value. */
function adviseSection(name: string, node: YamlNode): string | undefined {
  if (node.kind !== 'scalar' || node.isReferenced || typeof node.value !== 'string') return undefined;
  const field = { gateway: 'url', ownership: 'scope' }[name];
  return field && didYouMean(`${name}: ${inFlow({ [field]: node.value })}`);
}

/** The fields of a policy file. */
const POLICY_FILE_FIELDS = ['$schema', 'version', 'policy'];

function checkRootField(entry: Entry, fields: readonly string[], report: Report): void {
  const { name, node } = entry;
  if (fields.includes(name) || (isSecretField(name) && node.broken)) return;
  const known = fields.filter((field) => field !== '$schema');
  const hint = adviseRootField(name, hasReferences(node) || node.broken ? undefined : plain(node));
  reportUnknown(report, entry, { known, ...(hint ? { hint } : {}) });
}

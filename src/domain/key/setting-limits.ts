import { shortestIpRule } from '../kinds/ip-rule.ts';
import type { SettingName } from './fields.ts';
import { utf8Length } from './name.ts';

/** The limits of a gateway for the settings of keys, where they are narrower than those of the contract. */
export interface SettingLimits {
  /** The kind of the gateway: `one-api v0.6.10`. */
  readonly title: string;
  /** The UTF-8 bytes of a name. */
  readonly nameBytes?: number;
  /** Keys have no group. */
  readonly lacksGroups?: true;
  /** An allowlist without models allows all of them. */
  readonly lacksEmptyAllowlists?: true;
  /** Address ranges are ignored, up to a version of the gateway. */
  readonly ignoresRanges?: { readonly until?: string };
}

/** A setting that a gateway cannot hold, so that it is not written. */
export interface SettingRefusal {
  readonly setting: SettingName;
  /** A sentence. */
  readonly problem: string;
  /** A sentence. */
  readonly advice: string;
}

/** The settings that have such limits. */
interface LimitedSettings {
  readonly name?: string;
  readonly group?: string;
  readonly models?: readonly string[] | null;
  readonly allowIps?: readonly string[] | null;
}

/** Is this an address range? A range of one address is that address. */
export const isIpRange = (rule: string): boolean => shortestIpRule(rule).includes('/');

function rangesRefusal({ title, ignoresRanges: { until } = {} }: SettingLimits): SettingRefusal {
  const update = until === undefined ? '' : `, or update the gateway: new-api respects ranges since version ${until}`;
  return {
    setting: 'allowIps',
    problem: `${title} ignores address ranges: this key would not be restricted to them.`,
    advice: `List single addresses${update}.`,
  };
}

/** Lists those of these settings that a gateway with these limits cannot hold. */
export function refusalsOf(
  limits: SettingLimits | undefined,
  { name = '', group = '', models, allowIps }: LimitedSettings,
): readonly SettingRefusal[] {
  if (limits === undefined) return [];
  const { title, nameBytes = Number.POSITIVE_INFINITY } = limits;
  const found: SettingRefusal[] = limits.ignoresRanges && allowIps?.some(isIpRange) ? [rangesRefusal(limits)] : [];
  const bytes = utf8Length(name);
  if (bytes > nameBytes) {
    const problem = `A name has at most ${nameBytes} UTF-8 bytes at ${title}, and ${name} has ${bytes}.`;
    found.push({ setting: 'name', problem, advice: 'Shorten it.' });
  }
  if (limits.lacksGroups && group !== '') {
    const problem = `Keys have no group at ${title}: the group ${group} would be lost.`;
    found.push({ setting: 'group', problem, advice: 'Leave the group out.' });
  }
  if (limits.lacksEmptyAllowlists && models?.length === 0) {
    const problem = `An empty allowlist would allow every model at ${title}.`;
    found.push({ setting: 'models', problem, advice: 'Name a model, or disable the key.' });
  }
  return found;
}

import { chanceOf } from '../../../../scripts/soak/chance.ts';

/** The declarations of a user, as the text of a configuration and as the settings that the gateway must store. */

/** Numbers that depend on the seed alone. */
export interface Dice {
  /** A whole number below this one. */
  below(limit: number): number;
  of<T>(choices: readonly T[]): T;
}

export function diceOf(seed: number): Dice {
  const { number: below } = chanceOf(seed);
  return {
    below,
    of<T>(choices: readonly T[]): T {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
  };
}

type Stored = Readonly<Record<string, unknown>>;

/** A value of an attribute, as it is written, with what the gateway stores for it. */
export interface Setting {
  readonly text: string;
  readonly stored: Stored;
}

const UNITS = 500_000;

export interface Budget extends Setting {
  /** The units that a lifetime budget grants. Of others the remaining quota is not judged. */
  readonly units?: number;
}

export const ATTRIBUTES = ['enabled', 'group', 'models', 'allow_ips', 'expires_at', 'cross_group_retry'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

export const VALUES: Readonly<Record<Attribute, readonly Setting[]>> = {
  enabled: [
    { text: 'true', stored: { disabled: false } },
    { text: 'false', stored: { disabled: true } },
  ],
  group: [
    { text: '"default"', stored: { group: 'default' } },
    { text: '"vip"', stored: { group: 'vip' } },
    { text: '""', stored: { group: '' } },
  ],
  models: [
    { text: '["alpha-chat-1"]', stored: { models: 'alpha-chat-1' } },
    { text: '["text-embedding-3-small", "alpha-chat-1"]', stored: { models: 'alpha-chat-1,text-embedding-3-small' } },
    { text: '["any"]', stored: { models: 'any' } },
  ],
  allow_ips: [
    { text: '["127.0.0.0/8"]', stored: { ips: '127.0.0.0/8' } },
    { text: '["203.0.113.7", "10.0.0.0/8"]', stored: { ips: '10.0.0.0/8,203.0.113.7' } },
    { text: '["anywhere"]', stored: { ips: '' } },
  ],
  expires_at: [
    { text: '"2035-01-01T00:00:00Z"', stored: { expires: 2_051_222_400 } },
    { text: '"2036-03-31T02:00:00+02:00"', stored: { expires: 2_090_534_400 } },
    { text: '"never"', stored: { expires: -1 } },
  ],
  cross_group_retry: [
    { text: 'true', stored: { retry: true } },
    { text: 'false', stored: { retry: false } },
  ],
};

export const BUDGETS: readonly Budget[] = [
  { text: '{ usd = 1, per = "lifetime" }', stored: { unlimited: false }, units: UNITS },
  { text: '{ usd = 20, per = "lifetime" }', stored: { unlimited: false }, units: 20 * UNITS },
  { text: '{ quota = 7000001, per = "lifetime" }', stored: { unlimited: false }, units: 7_000_001 },
  { text: '{ usd = 5, per = "month" }', stored: { unlimited: false } },
  { text: '{ usd = 5, per = "7d" }', stored: { unlimited: false } },
  { text: '{ usd = 9, below = { usd = 2 } }', stored: { unlimited: false } },
  { text: '{ usd = 3, initial = true }', stored: {} },
  { text: '{ unlimited = true }', stored: { unlimited: true } },
];

/** The end of a key whose resource is destroyed or replaced. */
export type End = 'delete' | 'disable' | 'abandon';

export const ENDS: readonly End[] = ['delete', 'disable', 'abandon'];

/** A key whose name the provider generates, which a change of a value replaces. */
export interface Generated {
  readonly release: number;
  readonly isCreatedFirst: boolean;
  readonly end: End;
}

export interface Resource {
  readonly mode: 'single' | 'count' | 'each';
  /** The keys of the instances; one for a single resource. */
  readonly members: readonly string[];
  /** The name of the key, before that of the member, or the begin of its prefix. */
  readonly name: string;
  readonly generated?: Generated;
  /** The key is in the second account. */
  readonly isSecond?: true;
  readonly budget: Budget | undefined;
  readonly settings: Readonly<Partial<Record<Attribute, Setting>>>;
}

/** The declared resources by their labels, and further blocks of this one configuration. */
export interface World {
  readonly resources: ReadonlyMap<string, Resource>;
  readonly blocks: readonly string[];
}

export interface Instance {
  readonly address: string;
  /** The name, or the prefix of a generated one. */
  readonly name: string;
  readonly resource: Resource;
}

export const hasName = ({ name, resource }: Instance, stored: string): boolean =>
  resource.generated ? stored.startsWith(name) : stored === name;

const named = ({ generated }: Resource, text: string): string =>
  generated ? `  name_prefix = "${text}-"\n` : `  name = "${text}"\n`;

const COUNTED: Readonly<Record<Resource['mode'], (resource: Resource) => string>> = {
  single: (resource) => named(resource, resource.name),
  count: (resource) => `  count = ${resource.members.length}\n${named(resource, `${resource.name}-\${count.index}`)}`,
  each: (resource) =>
    `  for_each = toset(${JSON.stringify(resource.members)})\n${named(resource, `${resource.name}-\${each.key}`)}`,
};

const renderGenerated = ({ release, isCreatedFirst, end }: Generated): string =>
  `  rotate_when_changed = { release = "${release}" }\n  on_destroy = "${end}"\n` +
  `  lifecycle {\n    create_before_destroy = ${isCreatedFirst}\n  }\n`;

const renderResource = ([label, resource]: readonly [string, Resource]): string => {
  const { settings, budget, mode, generated, isSecond } = resource;
  const lines = ATTRIBUTES.flatMap((name) => (settings[name] ? [`  ${name} = ${settings[name].text}\n`] : []));
  const money = budget ? `  budget = ${budget.text}\n` : '';
  const more = `${generated ? renderGenerated(generated) : ''}${isSecond ? '  provider = keyplane.second\n' : ''}`;
  return `resource "keyplane_api_key" "${label}" {\n${COUNTED[mode](resource)}${lines.join('')}${money}${more}}\n`;
};

export const render = ({ resources, blocks }: World): string =>
  [...[...resources].map(renderResource), ...blocks].join('\n');

export const addressOf = (label: string, { mode }: Pick<Resource, 'mode'>, member: string): string => {
  const base = `keyplane_api_key.${label}`;
  if (mode === 'single') return base;
  return mode === 'count' ? `${base}[${member}]` : `${base}["${member}"]`;
};

export const instancesOf = ({ resources }: Pick<World, 'resources'>): readonly Instance[] =>
  [...resources].flatMap(([label, resource]) =>
    resource.members.map((member) => ({
      address: addressOf(label, resource, member),
      name: `${resource.name}${resource.mode === 'single' ? '' : `-${member}`}${resource.generated ? '-' : ''}`,
      resource,
    })),
  );

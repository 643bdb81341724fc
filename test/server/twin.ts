import { type ProfileName, startReferenceGateway } from '../../src/reference/index.ts';
import { NEW_API } from './kinds.ts';
import {
  COMPLETION_RATIO,
  GROUPS,
  MODEL,
  MODEL_RATIO,
  type Owner,
  type Peer,
  VIDEO_MODEL,
  VIDEO_PRICE,
  WEALTH,
} from './peer.ts';

const PROFILES: readonly ProfileName[] = ['contract', 'deployed', 'deployed@1.0'];

export function profileNamed(name: string): ProfileName {
  const found = PROFILES.find((profile) => profile === name);
  if (found === undefined) throw new Error(`there is no profile ${name}`);
  return found;
}

/** Enough for one file of tests. */
const OWNERS = (['rich', 'poor'] as const).flatMap((wealth, group) =>
  Array.from({ length: 6 }, (_, index) => {
    const userId = group * 6 + index + 1;
    return { wealth, userId, accessToken: `token-of-owner-${userId}` };
  }),
);

export interface TwinOptions {
  /** On: those of the profile. Default: off. */
  readonly limits?: 'on' | 'off';
  /** The time, in Unix seconds. Default: as it passes. */
  readonly now?: () => number;
}

/** The reference gateway with empty accounts, priced as tests prepare servers. */
export async function openTwin(profile: ProfileName, { limits = 'off', now }: TwinOptions = {}): Promise<Peer> {
  const gateway = await startReferenceGateway({
    profile,
    ...(now && { now }),
    seed: {
      quotaPerUnit: 500_000,
      accounts: OWNERS.map(({ wealth, ...owner }) => ({
        ...owner,
        username: `owner-${owner.userId}`,
        quota: WEALTH[wealth],
      })),
      groups: Object.fromEntries(GROUPS.map((group) => [group, { ratio: 1, desc: group }])),
      models: {
        [MODEL]: { ratio: MODEL_RATIO, completionRatio: COMPLETION_RATIO },
        [VIDEO_MODEL]: { price: VIDEO_PRICE, task: { queueSeconds: 0, runSeconds: 0 } },
      },
      limits: limits === 'on' ? {} : { api: null, search: null, reveal: null },
    },
  });
  const free = [...OWNERS];
  return {
    name: `the reference gateway, ${profile}`,
    url: gateway.url,
    kind: NEW_API,
    async makeOwner(wealth): Promise<Owner> {
      const index = free.findIndex((owner) => owner.wealth === wealth);
      const [owner] = index < 0 ? [] : free.splice(index, 1);
      if (owner === undefined) throw new Error('no account is left');
      return { userId: owner.userId, accessToken: owner.accessToken };
    },
    close: () => gateway.close(),
  };
}

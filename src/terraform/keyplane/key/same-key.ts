import { type KeyId, keyId, maskOf, type ObservedKey, renderInstant } from '../../../domain/index.ts';
import type { ObjectValue } from '../../codec/value.ts';
import { type Kept, Refused } from '../../provider/definition.ts';
import type { Client } from '../client.ts';

/** What is kept of a key for the provider’s own use. */
export interface Memory {
  /** Whose key it is, and where. */
  readonly userId: number;
  readonly url: string;
  /** A create that nobody saw succeed: the newest id that was there before it. */
  readonly lostAfter?: number;
}

export const memoryOf = ({ private: kept }: Kept): Partial<Memory> => kept ?? {};

export const rememberedFor = ({ store }: Client, lostAfter?: number): { readonly private: Record<string, unknown> } => {
  const memory: Memory = { ...store.account, ...(lostAfter === undefined ? {} : { lostAfter }) };
  return { private: { ...memory } };
};

/** Undefined: a create whose answer was lost, and which is not found yet. */
export const idOf = ({ state }: Kept): KeyId | undefined =>
  typeof state.id === 'number' ? keyId(state.id) : undefined;

const HINT =
  'Is the provider configured for the right gateway and account? If the key that Terraform made is gone for good, `terraform state rm` forgets it.';

/** An id of another account means another key. @throws Refused */
export function checkAccount(kept: Kept, { store }: Client): void {
  const { userId } = memoryOf(kept);
  if (userId === undefined || userId === store.account.userId) return;
  throw new Refused({
    summary: `The key ${kept.state.id} belongs to user ${userId}, and the provider acts for user ${store.account.userId}`,
    detail: HINT,
  });
}

/** Was it made at another time, as far as both sides tell? */
const isMadeOtherwise = ({ created_at: made }: ObjectValue, live: ObservedKey): boolean =>
  typeof made === 'string' && live.createdAt !== undefined && renderInstant(live.createdAt) !== made;

/**
 * Has it another name, and something else that is not as it was? A name alone may be another: keys are renamed. So may
 * the address of a gateway, and masks are a matter of taste.
 */
const isStranger = (kept: Kept, live: ObservedKey, { store }: Client): boolean =>
  typeof kept.state.name === 'string' &&
  kept.state.name !== live.name &&
  (memoryOf(kept).url !== store.account.url || kept.state.masked_key !== maskOf(live));

/**
 * Ids count up on every gateway: behind the same number may be another key, and renaming or deleting that one would be
 * the worst there is. @throws Refused
 */
function checkSame(kept: Kept, live: ObservedKey, client: Client): void {
  if (!isMadeOtherwise(kept.state, live) && !isStranger(kept, live, client)) return;
  throw new Refused({
    summary: `The key ${live.id} is not the one that Terraform knows`,
    detail: `It is named ${JSON.stringify(live.name)}, and Terraform’s is ${JSON.stringify(kept.state.name)}; it was made at another time, has another credential, or is on another gateway. ${HINT}`,
  });
}

/** The live key behind what is kept. Undefined: it is gone, or was never made. @throws Refused, Fault */
export async function findLive(kept: Kept, client: Client): Promise<ObservedKey | undefined> {
  checkAccount(kept, client);
  const id = idOf(kept);
  const { lostAfter } = memoryOf(kept);
  if (id === undefined) {
    if (lostAfter === undefined) return undefined;
    const made = (await client.store.listed()).filter((key) => key.name === kept.state.name && key.id > lostAfter);
    const [only, ...others] = made;
    if (others.length === 0) return only;
    throw new Refused({
      summary: `Several new keys are named ${JSON.stringify(kept.state.name)}: ${made.map((key) => key.id).join(', ')}`,
      detail: 'One of them was made by Terraform, and its answer was lost. Delete those that are not in use.',
    });
  }
  const live = await client.store.live(id);
  if (live) checkSame(kept, live, client);
  return live;
}

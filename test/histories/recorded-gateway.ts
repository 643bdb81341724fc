import type { Chance } from '../../scripts/soak/chance.ts';
import { decimalOf, Fault, type KeyId, quota } from '../../src/domain/index.ts';
import type { SystemApi } from '../../src/gateway/index.ts';
import { LOG_TYPE, updateBody } from '../../src/wire/index.ts';
import { MemoryStore } from '../contract/memory-store.ts';
import type { Schedule } from './schedule.ts';

/** Something that happened at the gateway, in this order. */
export interface HistoryEvent {
  readonly actor: string;
  readonly what:
    | 'reads'
    | 'lists'
    | 'creates'
    | 'updates'
    | 'switches'
    | 'deletes'
    | 'edits'
    | 'spends'
    | 'crashes'
    | 'pauses';
  readonly id?: number;
  /** The name that is created, or the field that is edited. */
  readonly of?: string;
  readonly value?: unknown;
}

/** An account in memory, everything that happens to it, and one client for each actor. */
export interface RecordedGateway {
  readonly memory: MemoryStore;
  readonly events: readonly HistoryEvent[];
  record(event: HistoryEvent): void;
  clientOf(actor: string): SystemApi;
  /** The sender of these crashed: they arrive when this is called. */
  deliverLate(): void;
  /** The actor crashes: requests of it that have not arrived are lost, or arrive later. */
  crash(actor: string): void;
  /** No answer is lost from now on. */
  calm(): void;
}

export interface GatewayOptions {
  readonly chance: Chance;
  readonly schedule: Schedule;
  /** Records report the use, and lists their total, as on deployed gateways. */
  readonly isDeployed: boolean;
  readonly now: () => number;
}

const LOST_ANSWERS = 0.02;

const unsupported = async (): Promise<never> => {
  throw new Error('no run of these histories needs it');
};

/** A request that was sent, and has not arrived. */
interface UnderWay {
  readonly actor: string;
  readonly arrive: () => Promise<unknown>;
}

export function openRecordedGateway({ chance, schedule, isDeployed, now }: GatewayOptions): RecordedGateway {
  const memory = new MemoryStore({ reportsUse: isDeployed, now });
  const events: HistoryEvent[] = [];
  const underWay = new Set<UnderWay>();
  let late: readonly UnderWay[] = [];
  let losesAnswers = true;
  const record = (event: HistoryEvent): void => void events.push(event);

  /** One request: it arrives, has its effect, and is answered; others act in between. */
  async function request<T>(actor: string, effect: () => Promise<T>, writes = false): Promise<T> {
    const sent: UnderWay = { actor, arrive: effect };
    underWay.add(sent);
    await schedule.turn(actor);
    underWay.delete(sent);
    const isLost = writes && losesAnswers && chance.happens(LOST_ANSWERS);
    const answer = await effect();
    await schedule.turn(actor);
    if (isLost) throw new Fault('gateway.connection-lost', 'the answer was lost');
    return answer;
  }

  const clientOf = (actor: string): SystemApi => {
    const noted = (event: Omit<HistoryEvent, 'actor'>) => record({ actor, ...event });
    const remove = async (ids: readonly KeyId[]): Promise<number> => {
      const there = ids.filter((id) => memory.records.has(id));
      await memory.delete(there);
      for (const id of there) noted({ what: 'deletes', id });
      return there.length;
    };
    return {
      status: () => request(actor, async () => ({ quotaPerUnit: decimalOf(500_000) })),
      self: () => request(actor, async () => ({ id: 1, wallet: quota(1_000_000_000) })),
      prices: () => request(actor, async () => []),
      owner: () => request(actor, async () => 1),
      ownTask: () => request(actor, async () => undefined),
      groups: () => request(actor, async () => [{ name: 'default' }, { name: 'vip' }]),
      listKeys: ({ page, size }) =>
        request(actor, async () => {
          const all = [...(await memory.walk())].sort((a, b) => b.id - a.id);
          for (const { id } of all) noted({ what: 'lists', id });
          const keys = all.slice((page - 1) * size, page * size);
          return isDeployed ? { keys, total: all.length } : { keys };
        }),
      readKey: (id) =>
        request(actor, async () => {
          const key = await memory.tryRead(id);
          noted({ what: 'reads', id });
          if (key === undefined) throw new Fault('gateway.not-found', 'no such key');
          return key;
        }),
      createKey: (settings) =>
        request(
          actor,
          async () => {
            await memory.create(settings);
            noted({ what: 'creates', id: Math.max(...memory.records.keys()), of: settings.name });
          },
          true,
        ),
      updateKey: (base, patch) =>
        request(
          actor,
          async () => {
            if (!memory.records.has(base.id)) throw new Fault('gateway.refused', 'no such key');
            memory.write(base, updateBody(base, patch));
            noted({ what: 'updates', id: base.id });
          },
          true,
        ),
      setKeyStatus: (id, enabled) =>
        request(
          actor,
          async () => {
            if (!memory.records.has(id)) throw new Fault('gateway.refused', 'no such key');
            await memory.setEnabled(id, enabled);
            noted({ what: 'switches', id, value: enabled });
          },
          true,
        ),
      deleteKey: (id) =>
        request(
          actor,
          async () => {
            if ((await remove([id])) === 0) throw new Fault('gateway.refused', 'no such key');
          },
          true,
        ),
      deleteKeys: (ids) => request(actor, () => remove(ids), true),
      usageLog: ({ page, size }) =>
        request(actor, async () => {
          const all = memory.log.map(({ identity, at, keyId, keyName, spent }) => ({
            request_id: identity,
            created_at: at,
            type: LOG_TYPE.consumption,
            token_id: keyId,
            token_name: keyName,
            quota: spent,
          }));
          return { entries: all.slice((page - 1) * size, page * size), total: all.length };
        }),
      usageStatistics: () => request(actor, async () => ({ quota: quota(0) })),
      searchKeys: unsupported,
      revealKey: unsupported,
      revealKeys: unsupported,
      rotateToken: unsupported,
      models: unsupported,
    };
  };

  return {
    memory,
    events,
    record,
    clientOf,
    deliverLate() {
      for (const { arrive } of late) void arrive().catch(() => undefined);
      late = [];
    },
    crash(actor) {
      record({ actor, what: 'crashes' });
      schedule.crash(actor);
      const lost = [...underWay].filter((each) => each.actor === actor);
      for (const each of lost) underWay.delete(each);
      late = [...late, ...lost.filter(() => chance.happens(0.5))];
    },
    calm() {
      losesAnswers = false;
    },
  };
}

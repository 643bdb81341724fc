import * as z from 'zod';
import { asFault, Fault } from '../../domain/index.ts';
import { openTurns } from '../../http/index.ts';
import {
  bodyIn,
  type DialectName,
  dialectOf,
  type EndpointName,
  type GatewayKind,
  pageIn,
  pageQuery,
  recordIn,
  SYSTEM_LIMITS,
} from '../../wire/index.ts';
import { lacksEndpoint } from '../response-fault.ts';
import type { CallEndpoint, EndpointInput } from './caller.ts';
import { type Session, spokenIn } from './session.ts';

export interface DialectSides {
  readonly session: Pick<Session, 'kind' | 'dialect' | 'hasOtherSign'>;
  /** Asks the gateway for its kind, without credentials. */
  readonly findKind: () => Promise<GatewayKind | undefined>;
}

/** The request and the way to read its answer, for a gateway of another kind. */
interface Translated {
  readonly input: EndpointInput;
  /** Turns `data` into that of the contract. */
  readonly read?: (data: unknown, context: z.RefinementCtx) => unknown;
}

function translate(name: EndpointName, input: EndpointInput, spoken: DialectName): Translated {
  const dialect = dialectOf(spoken);
  const page = (listing: typeof dialect.keys | undefined, records?: typeof dialect): Translated => {
    const { query } = input;
    if (listing === undefined || query?.p === undefined) return { input };
    const { path } = listing;
    return {
      input: { ...input, query: pageQuery(listing, query), ...(path === undefined ? {} : { path }) },
      read: pageIn(listing, Number(query.page_size ?? SYSTEM_LIMITS.pageSize), records),
    };
  };
  switch (name) {
    case 'listKeys':
      return page(dialect.keys, dialect);
    case 'searchKeys':
      return page(dialect.search, dialect);
    case 'usageLog':
      return page(dialect.log);
    case 'readKey':
      return { input, read: recordIn(dialect) };
    case 'createKey':
    case 'updateKey':
      return { input: { ...input, body: bodyIn(dialect, Object(input.body)) } };
    case 'groups':
      return { input: typeof dialect.groups === 'string' ? { ...input, path: dialect.groups } : input };
    default:
      return { input };
  }
}

const has = (data: unknown, field: string): boolean => typeof data === 'object' && data !== null && field in data;

/** Signs of other kinds: they show the access token in the account, or records without the restrictions of the contract. */
const SIGNS: Partial<Readonly<Record<EndpointName, (data: unknown) => boolean>>> = {
  self: (data) => has(data, 'access_token'),
  readKey: (data) => has(data, 'id') && !has(data, 'model_limits') && !has(data, 'allow_ips'),
};

/** The same schema, which shows the data to somebody before it decodes them. */
const watched = <T>(schema: z.ZodType<T>, watch: (data: unknown) => void) =>
  z.preprocess((data) => {
    watch(data);
    return data;
  }, schema);

/** The dialect of a gateway, as far as it is known, and calls in it. */
interface Speaker {
  /** Undefined: that of the contract, or not known. */
  readonly spoken: () => DialectName | undefined;
  /** Finds out the kind, unless it is known: two requests without credentials, once. */
  readonly recognize: () => Promise<void>;
  readonly send: CallEndpoint;
}

function openSpeaker(call: CallEndpoint, { session, findKind }: DialectSides): Speaker {
  let asked: Promise<void> | undefined;
  const inTurn = openTurns();
  const askForKind = async (): Promise<void> => {
    try {
      const kind = await findKind();
      session.kind ??= kind;
    } catch {
      // The answer that led here is reported, and the next one like it asks again.
      asked = undefined;
    }
  };
  return {
    spoken: () => spokenIn(session),
    async recognize() {
      if (session.kind !== undefined) return;
      asked ??= askForKind();
      await asked;
    },
    async send(name, schema, input = {}) {
      const dialect = spokenIn(session);
      if (dialect === undefined) return await call(name, schema, input);
      if (name === 'groups' && dialectOf(dialect).groups === null) return schema.parse([]);
      const { input: translated, read } = translate(name, input, dialect);
      const ask = () => call(name, read ? z.preprocess(read, schema) : schema, translated);
      return await (name === 'createKey' && dialectOf(dialect).createsInTurn ? inTurn(name, ask) : ask());
    },
  };
}

type CallKeys = <T>(schema: z.ZodType<T>, input: EndpointInput) => Promise<T>;

const Ids = z.array(z.looseObject({ id: z.number() }));
/** After as many searches, each with a newer key than the one before, only creates explain that the list has more keys. */
const MOST_SEARCHES = 5;
const LIST_PAGE = 10;

/** Lists keys in the dialect of the gateway. A search counts only if the list has no more keys: those would be created again. */
function openList(call: CallEndpoint, { spoken, send }: Speaker): CallKeys {
  /** The last page of a list with so many keys. */
  const lastPage = (count: number) =>
    call('listKeys', Ids, { query: { p: String(Math.floor(count / LIST_PAGE)), size: String(LIST_PAGE) } });
  return async (schema, input) => {
    const dialect = spoken();
    if (dialect === undefined || dialectOf(dialect).keys.pages !== undefined)
      return await send('listKeys', schema, input);
    let newestBefore = -1;
    for (let searches = 1; ; searches += 1) {
      let ids: readonly number[] = [];
      const noting = watched(schema, (page) => {
        ids = Ids.safeParse(Object(page).items).data?.map(({ id }) => id) ?? [];
      });
      const page = await send('listKeys', noting, input);
      const last = await lastPage(ids.length);
      if (last.length <= ids.length % LIST_PAGE) return page;
      const newest = ids.reduce((most, id) => Math.max(most, id), 0);
      const isHidden = last.some(({ id }) => id < newest && !ids.includes(id));
      if (isHidden || newest <= newestBefore) {
        const message = `The search for any name leaves keys out: it finds ${ids.length}, and the gateway lists more.`;
        const hint = 'Keyplane cannot list all keys. Nothing was changed.';
        throw new Fault('gateway.unexpected-shape', message, { hint });
      }
      if (searches === MOST_SEARCHES) return page;
      newestBefore = newest;
    }
  };
}

/** Lists keys until a page has shown which dialect the list has. */
function openFirstList(
  call: CallEndpoint,
  { spoken, recognize }: Speaker,
  { session, list }: Pick<DialectSides, 'session'> & { readonly list: CallKeys },
): CallKeys {
  const first: CallKeys = async (schema, input) => {
    const dialect = spoken();
    try {
      const page = await list(schema, input);
      session.dialect = dialect ?? 'contract';
      return page;
    } catch (thrown) {
      if (asFault(thrown).code !== 'gateway.unexpected-shape' && !(dialect && lacksEndpoint(thrown))) throw thrown;
      if (dialect === undefined) {
        await recognize();
        if (spoken() === undefined) throw thrown;
        return await first(schema, input);
      }
      const page = await call('listKeys', schema, input).catch((other: unknown) => {
        throw lacksEndpoint(thrown) ? other : thrown;
      });
      session.dialect = 'contract';
      return page;
    }
  };
  return first;
}

/**
 * Makes the calls of the System API in the dialect of the gateway.
 *
 * Which one that is shows in its answers: the status, if somebody asked for it, the account, which is read before anything else,
 * a record, or a list that cannot be read. Only such a sign costs requests. The list decides: a gateway whose kind has another
 * list, but which lists keys as the contract does, is read as the contract has it.
 */
export function inDialects(call: CallEndpoint, sides: DialectSides): CallEndpoint {
  const { session } = sides;
  const speaker = openSpeaker(call, sides);
  const { spoken, recognize, send } = speaker;
  const list = openList(call, speaker);
  const firstList = openFirstList(call, speaker, { session, list });
  return async (name, schema, input) => {
    if (name === 'listKeys') return await (session.dialect === undefined ? firstList : list)(schema, input ?? {});
    const isSign = SIGNS[name];
    if (isSign === undefined || session.dialect !== undefined || session.kind !== undefined) {
      return await send(name, schema, input);
    }
    let isOther = false;
    const noting = watched(schema, (data) => {
      isOther = isSign(data);
    });
    const answer = await send(name, noting, input);
    if (!isOther) return answer;
    session.hasOtherSign = true;
    await recognize();
    return name === 'readKey' && spoken() !== undefined ? await send(name, schema, input) : answer;
  };
}

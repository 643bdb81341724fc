import { keyId } from '../../domain/index.ts';
import { at, isSuccess, recordsIn, Unprovable } from '../answers.ts';
import type { Probe, Subject } from '../probe.ts';

const PATH = '/api/token/';

/** The settings of a record, as an update of all of them sends it. */
const without = (record: Readonly<Record<string, unknown>>, ...fields: readonly string[]): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)));

const idOf = ({ id }: Readonly<Record<string, unknown>>) => keyId(Number(id));

/** Creates a key with a setting, and describes what became of it. */
async function stored(subject: Subject, field: string, value: unknown): Promise<unknown> {
  return (await subject.scratch.make({ [field]: value }))[field];
}

/** Tries a create with these settings. */
async function isRefused(subject: Subject, settings: Readonly<Record<string, unknown>>): Promise<boolean> {
  return !isSuccess((await subject.scratch.send(settings)).answer);
}

/** Is a setting validated? @throws Unprovable where a valid one shows that keys have no such field */
async function validates(
  subject: Subject,
  invalid: Readonly<Record<string, unknown>>,
  valid: Readonly<Record<string, unknown>>,
): Promise<'yes' | 'no'> {
  if (await isRefused(subject, invalid)) return 'yes';
  await subject.scratch.make(valid);
  return 'no';
}

/** A field that a gateway may drop: `kept`, or what it is stored as. */
const keeping = (field: string, value: unknown, what: string, when: string): Probe => ({
  id: `keys.keeps.${field}`,
  level: 'write',
  title: `Is ${what} of a key stored?`,
  conforming: { kept: 'as it was sent' },
  known: { dropped: when },
  async observe(subject) {
    const settings = field.startsWith('smart_') ? { smart_routing: true, smart_route_tiers: '{}' } : { [field]: value };
    const record = await subject.scratch.make(settings);
    return record[field] === settings[field as keyof typeof settings] ? 'kept' : 'dropped';
  },
});

const DROPPED = 'a manifest that declares it can never be applied in full';

export const WRITE_PROBES: readonly Probe[] = [
  {
    id: 'keys.create.answer',
    level: 'write',
    title: 'Does the answer to a create contain the new key?',
    conforming: { no: 'it is found by its name' },
    known: { yes: 'with its credential in clear: an answer that is logged is a leak' },
    async observe({ scratch }) {
      const { answer } = await scratch.send({});
      if (!isSuccess(answer)) throw new Unprovable('the gateway refuses to create a key for it');
      return at(answer.json, 'data.id') === undefined ? 'no' : 'yes';
    },
  },
  {
    id: 'keys.create.status',
    level: 'write',
    title: 'Can a key be created disabled?',
    conforming: { no: 'it is enabled until it is disabled by a request of its own', yes: 'status is stored' },
    known: {},
    observe: async (subject) => ((await stored(subject, 'status', 2)) === 2 ? 'yes' : 'no'),
  },
  {
    id: 'keys.create.expiry-zero',
    level: 'write',
    title: 'How is an expiry of 0 stored?',
    conforming: { '0': 'as it was sent', '-1': 'as never' },
    known: {},
    observe: async (subject) => String(await stored(subject, 'expired_time', 0)),
  },
  {
    id: 'keys.name.limit',
    level: 'write',
    title: 'How long may a name be?',
    conforming: { '50 characters': 'according to the contract' },
    known: {
      '50 bytes': 'letters with accents count twice or more',
      fewer: 'fewer than 50 bytes',
      more: 'longer ones are stored',
    },
    async observe(subject) {
      const rest = 50 - subject.scratch.nameLength;
      if (await isRefused(subject, { name: 'x'.repeat(rest) })) return 'fewer';
      if (!(await isRefused(subject, { name: 'x'.repeat(rest + 1) }))) return 'more';
      return (await isRefused(subject, { name: 'é'.repeat(rest) })) ? '50 bytes' : '50 characters';
    },
  },
  {
    id: 'keys.name.duplicates',
    level: 'write',
    title: 'May two keys have one name?',
    conforming: { yes: 'names are not unique', no: 'a second one is refused' },
    known: {},
    async observe({ ask, scratch }) {
      const record = await scratch.make();
      const body = without(record, 'id', 'key', 'user_id', 'created_time', 'accessed_time', 'used_quota', 'status');
      return isSuccess(await ask({ method: 'POST', path: PATH, body })) ? 'yes' : 'no';
    },
  },
  {
    id: 'keys.group.validated',
    level: 'write',
    title: 'Is the group of a key validated?',
    conforming: { yes: 'an unknown group is refused' },
    known: { no: 'a key with an unknown group is created, and no request with it works' },
    observe: (subject) => validates(subject, { group: 'keyplane-none' }, { group: '' }),
  },
  {
    id: 'keys.addresses.validated',
    level: 'write',
    title: 'Are the addresses of an IP rule validated?',
    conforming: { yes: 'anything else is refused' },
    known: { no: 'a rule that consists of mistakes is stored, and blocks everybody or nobody' },
    observe: (subject) => validates(subject, { allow_ips: 'nonsense' }, { allow_ips: '10.0.0.1' }),
  },
  keeping('cross_group_retry', true, 'cross-group retry', `${DROPPED}, or in the group auto only`),
  keeping('smart_routing', true, 'Smart Routing', DROPPED),
  keeping('smart_route_tiers', '{}', 'the list of Smart Routing tiers', DROPPED),
  {
    id: 'keys.update.omitted',
    level: 'write',
    title: 'Does an update keep a setting that it does not mention?',
    conforming: { no: 'an update has to contain every setting' },
    known: { yes: 'omitted settings stay' },
    async observe({ ask, scratch }) {
      const record = await scratch.make({ allow_ips: '10.0.0.1' });
      await ask({ method: 'PUT', path: PATH, body: without(record, 'allow_ips', 'key') });
      return (await scratch.read(idOf(record))).allow_ips === '10.0.0.1' ? 'yes' : 'no';
    },
  },
  {
    id: 'keys.update.status',
    level: 'write',
    title: 'Does an update of all settings change the status?',
    conforming: { no: 'the status has an update of its own' },
    known: { yes: 'the status of the body is stored' },
    async observe({ ask, scratch }) {
      const record = await scratch.make();
      await ask({ method: 'PUT', path: PATH, body: { ...without(record, 'key'), status: 2 } });
      return (await scratch.read(idOf(record))).status === 2 ? 'yes' : 'no';
    },
  },
  {
    id: 'keys.status-only.values',
    level: 'write',
    title: 'Which values does an update of the status accept?',
    conforming: { 'those of the contract': 'enabled and disabled' },
    known: { any: 'any number is stored: a key can have a status that means nothing' },
    async observe({ ask, scratch }) {
      const record = await scratch.make();
      const query = { status_only: 'true' };
      await ask({ method: 'PUT', path: PATH, query, body: { id: record.id, status: 77 } });
      return (await scratch.read(idOf(record))).status === 77 ? 'any' : 'those of the contract';
    },
  },
  {
    id: 'keys.reveal',
    level: 'write',
    title: 'How is the credential of a key revealed?',
    conforming: { yes: 'by a request of its own' },
    known: { '404': 'there is no such path; lists show it' },
    async observe({ ask, scratch }) {
      const answer = await ask({ method: 'POST', path: `${PATH}${idOf(await scratch.make())}/key` });
      return isSuccess(answer) && typeof at(answer.json, 'data.key') === 'string' ? 'yes' : String(answer.status);
    },
  },
  {
    id: 'keys.reveal.batch',
    level: 'write',
    title: 'In which form are the credentials of several keys revealed?',
    conforming: { list: 'with the ID of each', map: 'by ID' },
    known: { '404': 'there is no such path' },
    async observe({ ask, scratch }) {
      const { id } = await scratch.make();
      const answer = await ask({ method: 'POST', path: `${PATH}batch/keys`, body: { ids: [id] } });
      if (!isSuccess(answer)) return String(answer.status);
      return Array.isArray(at(answer.json, 'data')) ? 'list' : 'map';
    },
  },
  {
    id: 'keys.delete.batch',
    level: 'write',
    title: 'Can several keys be deleted in one request?',
    conforming: { yes: 'and it answers how many' },
    known: { '404': 'there is no such path' },
    async observe({ ask, scratch }) {
      const { id } = await scratch.make();
      const answer = await ask({ method: 'POST', path: `${PATH}batch`, body: { ids: [id] } });
      return isSuccess(answer) ? (at(answer.json, 'data') === 1 ? 'yes' : 'without a number') : String(answer.status);
    },
  },
  {
    id: 'keys.search.matches',
    level: 'write',
    title: 'Which names does a search find?',
    conforming: { part: 'names that contain the keyword' },
    known: { whole: 'names that equal it', start: 'names that begin with it', refused: 'there is no search' },
    async observe({ ask, scratch }) {
      const name = String((await scratch.make({ name: '-zqx' })).name);
      const keywords = { part: '-zq', start: name.slice(0, -1), whole: name };
      for (const [matches, keyword] of Object.entries(keywords)) {
        const query = { keyword, p: '1', page_size: '100' };
        const answer = await ask({ method: 'GET', path: '/api/token/search', query });
        if (!isSuccess(answer)) return 'refused';
        if (recordsIn(answer.json).some((record) => record.name === name)) return matches;
      }
      return 'none';
    },
  },
];

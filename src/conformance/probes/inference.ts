import { keyId, Secret } from '../../domain/index.ts';
import type { RawAnswer } from '../../gateway/index.ts';
import { at, recordsIn, refusal } from '../answers.ts';
import { type Probe, type Subject, Unprovable } from '../probe.ts';

/** The model that is asked, and what a key may spend in quota units. */
export interface Spending {
  readonly model: string;
  readonly quota: number;
}

/** An address that documentation may use and nobody has. */
const NOBODY = '192.0.2.1';

interface Made {
  readonly id: number;
  readonly key: Secret;
}

async function makeKey({ ask, scratch }: Subject, settings: Readonly<Record<string, unknown>>): Promise<Made> {
  const record = await scratch.make(settings);
  const id = Number(record.id);
  const { json } = await ask({ method: 'POST', path: `/api/token/${keyId(id)}/key` });
  const revealed = at(json, 'data.key') ?? (String(record.key).includes('*') ? undefined : record.key);
  if (typeof revealed !== 'string') throw new Unprovable('the gateway reveals no credential');
  return { id, key: new Secret(`sk-${revealed.replace(/^sk-/, '')}`) };
}

export function inferenceProbes({ model, quota }: Spending): readonly Probe[] {
  const budget = { remain_quota: quota, unlimited_quota: false };
  const chat = ({ ask }: Subject, { key }: Made, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
    ask({
      method: 'POST',
      path: '/v1/chat/completions',
      as: { key },
      body: { model, messages: [{ role: 'user', content: 'Reply with: ok' }], max_tokens: 4 },
      headers,
    });
  /** The answer to a chat with such a key: the status, and the code of a refusal. */
  const answered = async (subject: Subject, settings: Readonly<Record<string, unknown>>): Promise<string> =>
    refusal(await chat(subject, await makeKey(subject, settings)));
  const elsewhere = { ...budget, allow_ips: NOBODY };

  return [
    {
      id: 'inference.works',
      level: 'inference',
      title: 'Is a chat answered?',
      conforming: { '200': 'the control of the probes below' },
      known: {},
      observe: (subject) => answered(subject, budget),
    },
    {
      id: 'inference.model-not-allowed',
      level: 'inference',
      title: 'How is a model that the key does not allow refused?',
      conforming: { '403': 'by its status', '403 model_not_allowed': 'by its status and code' },
      known: { '404': 'as if it did not exist', '200': 'NOT AT ALL: an allowlist has no effect' },
      observe: (subject) => answered(subject, { ...budget, model_limits_enabled: true, model_limits: 'keyplane-none' }),
    },
    {
      id: 'inference.address-not-allowed',
      level: 'inference',
      title: 'How is an address that the key does not allow refused?',
      conforming: { '403': 'by its status', '403 access_denied': 'by its status and code' },
      known: { '200': 'NOT AT ALL: an IP rule has no effect' },
      observe: (subject) => answered(subject, elsewhere),
    },
    {
      id: 'inference.address-header',
      level: 'inference',
      title: 'Is the address of a client taken from a header that the client can set?',
      conforming: { no: 'an IP rule holds' },
      known: { yes: 'X-Forwarded-For lifts every IP rule: put a proxy in front that replaces it' },
      async observe(subject) {
        const made = await makeKey(subject, elsewhere);
        if ((await chat(subject, made)).status === 200) throw new Unprovable('the IP rule has no effect at all');
        const answer = await chat(subject, made, { 'x-forwarded-for': NOBODY, 'x-real-ip': NOBODY });
        return answer.status === 200 ? 'yes' : 'no';
      },
    },
    {
      id: 'inference.exhausted-key',
      level: 'inference',
      title: 'How is a key without quota refused?',
      conforming: { '401': 'by its status', '403 pre_consume_token_quota_failed': 'by its status and code' },
      known: { '403': 'by another status', '200': 'NOT AT ALL: a budget has no effect' },
      observe: (subject) => answered(subject, { remain_quota: 0, unlimited_quota: false }),
    },
    {
      id: 'inference.models-of-key',
      level: 'inference',
      title: 'Does the list of models respect the allowlist of the key?',
      conforming: { yes: 'it lists the allowed models' },
      known: { no: 'it lists every model of the account' },
      async observe(subject) {
        const made = await makeKey(subject, { ...budget, model_limits_enabled: true, model_limits: model });
        const { json } = await subject.ask({ method: 'GET', path: '/v1/models', as: { key: made.key } });
        const ids = recordsIn(json).map(({ id }) => id);
        if (!ids.includes(model)) throw new Unprovable('the model is not listed');
        return ids.length === 1 ? 'yes' : 'no';
      },
    },
    {
      id: 'inference.charge',
      level: 'inference',
      title: 'Does a charge move the quota of a key from what remains to what was used?',
      conforming: { 'remaining only': 'the contract has no other field', both: 'by the same amount' },
      known: { neither: 'the record does not show what a key spent' },
      async observe(subject) {
        const made = await makeKey(subject, budget);
        if ((await chat(subject, made)).status !== 200) throw new Unprovable('the chat was not answered');
        const record = await subject.scratch.read(keyId(made.id));
        const spent = quota - Number(record.remain_quota);
        if (spent === 0) return 'neither';
        return Number(record.used_quota ?? 0) === spent ? 'both' : 'remaining only';
      },
    },
    {
      id: 'inference.count-tokens',
      level: 'inference',
      title: 'Can input tokens be counted?',
      conforming: { '200': 'according to the contract' },
      known: { '404': 'there is no such path' },
      async observe(subject) {
        const { key } = await makeKey(subject, budget);
        const body = { model, messages: [{ role: 'user', content: 'ok' }] };
        const { status } = await subject.ask({ method: 'POST', path: '/v1/messages/count_tokens', as: { key }, body });
        return String(status);
      },
    },
  ];
}

import { keyId, Secret } from '../../domain/index.ts';
import type { AnyResponse } from '../../gateway/index.ts';
import { at, recordsIn, refusal, Unprovable } from '../answers.ts';
import type { Probe, Subject } from '../probe.ts';

/** The model that is asked, and the quota units that each key may spend. */
export interface ProbeSpending {
  readonly model: string;
  readonly quota: number;
}

type Settings = Readonly<Record<string, unknown>>;

/** An address that documentation may use and nobody has. */
const NOBODY = '192.0.2.1';

interface Made {
  readonly id: number;
  readonly key: Secret;
}

async function makeKey({ ask, scratch }: Subject, settings: Settings): Promise<Made> {
  const record = await scratch.make(settings);
  const id = Number(record.id);
  const { json } = await ask({ method: 'POST', path: `/api/token/${keyId(id)}/key` });
  const revealed = at(json, 'data.key') ?? (String(record.key).includes('*') ? undefined : record.key);
  if (typeof revealed !== 'string') throw new Unprovable('the gateway reveals no credential');
  return { id, key: new Secret(`sk-${revealed.replace(/^sk-/, '')}`) };
}

const budgetOf = ({ quota }: ProbeSpending): Settings => ({ remain_quota: quota, unlimited_quota: false });

const chat = (
  { ask }: Subject,
  { model }: ProbeSpending,
  { key }: Made,
  headers: Readonly<Record<string, string>> = {},
): Promise<AnyResponse> =>
  ask({
    method: 'POST',
    path: '/v1/chat/completions',
    as: { key },
    body: { model, messages: [{ role: 'user', content: 'Reply with: ok' }], max_tokens: 4 },
    headers,
  });

/** Questions about the answer to a chat with a key of these settings: the status, and the code of a refusal. */
const CHATS: readonly (Omit<Probe, 'level' | 'observe'> & { readonly settings: Settings })[] = [
  {
    id: 'inference.works',
    title: 'Is a chat answered?',
    conforming: { '200': 'the control of the questions below' },
    known: {},
    settings: {},
  },
  {
    id: 'inference.model-not-allowed',
    title: 'How is a model that the key does not allow refused?',
    conforming: { '403': 'by its status', '403 model_not_allowed': 'by its status and code' },
    known: { '404': 'as if it did not exist', '200': 'NOT AT ALL: an allowlist has no effect' },
    settings: { model_limits_enabled: true, model_limits: 'keyplane-none' },
  },
  {
    id: 'inference.address-not-allowed',
    title: 'How is an address that the key does not allow refused?',
    conforming: { '403': 'by its status', '403 access_denied': 'by its status and code' },
    known: { '200': 'NOT AT ALL: an IP rule has no effect' },
    settings: { allow_ips: NOBODY },
  },
  {
    id: 'inference.exhausted-key',
    title: 'How is a key without quota refused?',
    conforming: { '401': 'by its status', '403 pre_consume_token_quota_failed': 'by its status and code' },
    known: { '403': 'by another status', '200': 'NOT AT ALL: a budget has no effect' },
    settings: { remain_quota: 0 },
  },
];

const chatProbes = (spending: ProbeSpending): readonly Probe[] =>
  CHATS.map(({ settings, ...probe }) => ({
    ...probe,
    level: 'inference',
    observe: async (subject) => {
      const made = await makeKey(subject, { ...budgetOf(spending), ...settings });
      return refusal(await chat(subject, spending, made));
    },
  }));

const addressHeader = (spending: ProbeSpending): Probe => ({
  id: 'inference.address-header',
  level: 'inference',
  title: 'Is the address of a client taken from a header that the client can set?',
  conforming: { no: 'an IP rule holds' },
  known: { yes: 'X-Forwarded-For lifts every IP rule: put a proxy in front that replaces it' },
  async observe(subject) {
    const made = await makeKey(subject, { ...budgetOf(spending), allow_ips: NOBODY });
    if ((await chat(subject, spending, made)).status === 200) throw new Unprovable('the IP rule has no effect at all');
    const answer = await chat(subject, spending, made, { 'x-forwarded-for': NOBODY, 'x-real-ip': NOBODY });
    return answer.status === 200 ? 'yes' : 'no';
  },
});

const modelsOfKey = (spending: ProbeSpending): Probe => ({
  id: 'inference.models-of-key',
  level: 'inference',
  title: 'Does the list of models respect the allowlist of the key?',
  conforming: { yes: 'it lists the allowed models' },
  known: { no: 'it lists every model of the account' },
  async observe(subject) {
    const { model } = spending;
    const made = await makeKey(subject, { ...budgetOf(spending), model_limits_enabled: true, model_limits: model });
    const { json } = await subject.ask({ method: 'GET', path: '/v1/models', as: { key: made.key } });
    const ids = recordsIn(json).map(({ id }) => id);
    if (!ids.includes(model)) throw new Unprovable('the model is not listed');
    return ids.length === 1 ? 'yes' : 'no';
  },
});

const PAUSE_MS = 500;
const CHARGED_WITHIN_MS = 10_000;

const charge = (spending: ProbeSpending): Probe => ({
  id: 'inference.charge',
  level: 'inference',
  title: 'Does a charge move the quota of a key from the remaining to the used?',
  conforming: { 'remaining only': 'the contract has no other field', both: 'by the same amount' },
  known: { neither: 'the record does not show the use of a key' },
  async observe(subject) {
    const made = await makeKey(subject, budgetOf(spending));
    if ((await chat(subject, spending, made)).status !== 200) throw new Unprovable('the chat was not answered');
    // Gateways charge after they have answered, some every five seconds.
    for (let waited = 0; ; waited += PAUSE_MS) {
      const { remain_quota: remain, used_quota: used } = await subject.scratch.read(keyId(made.id));
      const spent = spending.quota - Number(remain);
      if (spent !== 0 && Number(used) === spent) return 'both';
      if (waited >= CHARGED_WITHIN_MS || (spent !== 0 && used === undefined)) {
        return spent === 0 ? 'neither' : 'remaining only';
      }
      await subject.sleep(PAUSE_MS);
    }
  },
});

const tokenCounting = (spending: ProbeSpending): Probe => ({
  id: 'inference.count-tokens',
  level: 'inference',
  title: 'Can input tokens be counted?',
  conforming: { '200': 'according to the contract' },
  known: {
    '404': 'there is no such path',
    '200 without a count': 'the channel answers with something else, such as a chat, so tokens cannot be counted',
  },
  async observe(subject) {
    const { key } = await makeKey(subject, budgetOf(spending));
    const body = { model: spending.model, messages: [{ role: 'user', content: 'ok' }] };
    const answer = await subject.ask({ method: 'POST', path: '/v1/messages/count_tokens', as: { key }, body });
    const isCounted = answer.status !== 200 || Number.isInteger(at(answer.json, 'input_tokens'));
    return isCounted ? String(answer.status) : '200 without a count';
  },
});

export const inferenceProbes = (spending: ProbeSpending): readonly Probe[] => [
  ...chatProbes(spending),
  addressHeader(spending),
  modelsOfKey(spending),
  charge(spending),
  tokenCounting(spending),
];

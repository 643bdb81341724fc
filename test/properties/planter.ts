import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A whole answer in place of the gateway's own. */
export interface Instead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The place of a text in the answers, such as `GET /api/token/ data.items.name`. */
type Leaf = string;

function replaceLeaves(value: Json, at: Leaf, plant: (leaf: Leaf, own: string) => string): Json {
  if (typeof value === 'string') return plant(at, value);
  if (Array.isArray(value)) return value.map((item: Json) => replaceLeaves(item, at, plant));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaceLeaves(member, `${at}.${name}`, plant)]),
  );
}

const withoutConnection = ({ host: _, connection: __, 'content-length': ___, ...rest }: Record<string, unknown>) =>
  rest as Record<string, string>;

/** A proxy that puts a text into one place of the gateway's answers, and notes which places were asked for. */
export async function openPlanter(upstream: string, planted: string) {
  const seen = new Set<Leaf>();
  let chosen: (leaf: Leaf) => boolean = () => false;
  let instead: ((path: string, authorization: string) => Instead | undefined) | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/', headers } = incoming;
    const whole = instead?.(url, headers.authorization ?? '');
    if (whole) {
      outgoing.writeHead(whole.status, whole.headers).end(whole.body);
      return;
    }
    const answer = await fetch(`${upstream}${url}`, {
      method,
      headers: withoutConnection(headers),
      redirect: 'manual',
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    }).catch(() => undefined);
    if (!answer) {
      outgoing.destroy();
      return;
    }
    const text = await answer.text();
    const endpoint = `${method} ${url.replace(/\?.*/, '').replace(/\d+/g, 'N')}`;
    const plant = (leaf: Leaf, own: string): string => {
      seen.add(leaf);
      return chosen(leaf) ? planted : own;
    };
    const [type = 'text/plain', date = ''] = ['content-type', 'date'].map(
      (name) => answer.headers.get(name) ?? undefined,
    );
    outgoing.writeHead(answer.status, { 'content-type': type, date });
    outgoing.end(text.startsWith('{') ? JSON.stringify(replaceLeaves(JSON.parse(text), endpoint, plant)) : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The places of texts in the answers since the last call. */
    takeSeen: (): readonly Leaf[] => {
      const leaves = [...seen];
      seen.clear();
      return leaves;
    },
    plant: (leaf: Leaf | undefined): void => {
      chosen = (each) => each === leaf;
    },
    /** Plants in all of these places. */
    plantIn: (leaves: RegExp): void => {
      chosen = (each) => leaves.test(each);
    },
    answer: (how: typeof instead): void => {
      instead = how;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

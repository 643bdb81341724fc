import { openPlace, type Place } from './place.ts';

const MODELS = {
  'alpha-chat-1': {},
  'alpha-chat-2': {},
  'text-embedding-3-small': {},
  'alpha-image-2': { price: 0.02 },
  'delta-H3': { price: 0.4, task: { queueSeconds: 0, runSeconds: 3600 } },
};
const SHOP = { name: 'shop', unlimited_quota: true, model_limits_enabled: true, model_limits: 'alpha-chat-1' };
const STUDIO = { name: 'studio', unlimited_quota: true };

export const CHECKS = `checks:
  pong: { module: chat, messages: [{ role: user, content: "Reply with exactly: pong" }], expect: { contains: pong } }
  poster: { module: image, model: alpha-image-2 }
  film: { module: video, model: delta-H3 }
`;

/** A place with a shop that chats and a studio that paints, and checks for both. */
export async function openCheckedPlace(): Promise<Place> {
  const place = await openPlace([SHOP, STUDIO], 'contract', MODELS);
  await place.declare(
    '  shop: { checks: [pong, enforcement] }\n  studio: { checks: [poster, film, model-list] }\n',
    CHECKS,
  );
  return place;
}

/** Requests that the gateway has seen, by method and route. */
export const countsOf = async (place: Place): Promise<Record<string, number>> =>
  (await place.control<{ requests: Record<string, number> }>('GET', '/requests')).requests;

/** The `data` of a command with --format json. */
export const dataOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).data;

export const verdicts = (data: { results: { key: string; check: string; verdict: string }[] }) =>
  Object.fromEntries(data.results.map(({ key, check, verdict }) => [`${key} ${check}`, verdict]));

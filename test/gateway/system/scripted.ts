import { afterEach } from 'vitest';
import { keyId, Secret } from '../../../src/domain/index.ts';
import { type Gateway, type GatewayOptions, openGateway } from '../../../src/gateway/index.ts';
import { type Handler, type Loopback, type RecordedRequest, respondWith, serve } from '../../http/loopback.ts';
import { virtualClock } from '../../http/virtual-clock.ts';

export const TOKEN = 'canary-access-token-0123456789';
export const USER = 42;

const opened: Gateway[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

/** A gateway that waits in no time, closed after the test. */
export function open(url: string, options: Partial<GatewayOptions> = {}): Gateway {
  const gateway = openGateway({
    url,
    userId: USER,
    accessToken: new Secret(TOKEN),
    clock: virtualClock(),
    random: () => 1,
    ...options,
  });
  opened.push(gateway);
  return gateway;
}

export const ok = (data: unknown): Handler => respondWith(200, { success: true, message: '', data });
export const refused = (message = '无效的令牌'): Handler => respondWith(200, { success: false, message });
export const SELF = ok({ id: USER, quota: 1000, username: 'ada', group: 'default', email: 'unknown field' });

/** A server scripted by `METHOD /path`, without the query; for other paths it responds like a gateway without them. */
export async function gatewayOf(handlers: Readonly<Record<string, Handler>>): Promise<Loopback> {
  return serve((request, response) => {
    const name = `${request.method} ${request.url.split('?')[0]}`;
    const handler = handlers[name] ?? (name === 'GET /api/user/self' ? SELF : undefined);
    if (handler) return handler(request, response);
    const error = { message: `Invalid URL (${name})`, type: 'invalid_request_error' };
    return respondWith(404, { error })(request, response);
  });
}

export const record = (id: number, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  user_id: USER,
  name: `key-${id}`,
  key: 'abcd**********wxyz',
  status: 1,
  expired_time: -1,
  remain_quota: 500,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: null,
  group: '',
  cross_group_retry: false,
  ...more,
});

export const id = keyId;
/** The requests to a server, without those that verify whose account it is. */
export const requestsTo = ({ seen }: Loopback): readonly RecordedRequest[] =>
  seen.filter(({ url }) => url !== '/api/user/self');

export const nameOf = ({ method, url }: RecordedRequest): string => `${method} ${url}`;

export const calls = ({ seen }: Loopback): readonly string[] => seen.map(nameOf);
export const bodyOf = (seen: RecordedRequest | undefined): unknown => JSON.parse(seen?.body ?? 'null');

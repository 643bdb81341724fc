import { request } from 'undici';

/** The control endpoints of a reference gateway, as a test uses them. */
export function controlOf(url: string) {
  const send = async (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown): Promise<unknown> => {
    const answer = await request(`${url}/_reference${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    /** Requests since the last reset, by `METHOD pattern`, and in all. Resets. */
    async takeRequests(): Promise<{ requests: Record<string, number>; total: number }> {
      return (await send('DELETE', '/requests')) as { requests: Record<string, number>; total: number };
    },
    script: (...faults: readonly object[]) => send('POST', '/faults', faults),
    clearFaults: () => send('DELETE', '/faults'),
    /** Resolves when an injected failure holds a request. */
    waitForHeld: () => send('GET', '/held?wait=1'),
    release: () => send('POST', '/release', {}),
    spend: (keyId: number, quota: number) => send('POST', '/spend', { keyId, quota }),
    deleteLog: () => send('DELETE', '/log'),
    patchKey: (id: number, fields: object) => send('PATCH', `/keys/${id}`, fields),
    state: () => send('GET', '/state') as Promise<{ keys: Record<string, unknown>[] }>,
  };
}

import { expect, it } from 'vitest';
import { openGatewayClient } from '../../src/client/index.ts';
import { Secret } from '../../src/domain/index.ts';

const GIVEN = { url: 'http://127.0.0.1:9', userId: 42, accessToken: new Secret('canary-access-token') };

/** Each was ignored, or hung, or was an error of JavaScript. */
it.each([
  ['url', undefined],
  ['url', new URL('http://127.0.0.1:9')],
  ['accessToken', 'canary-access-token'],
  ['accessToken', undefined],
  ['concurrency', 0],
  ['concurrency', Number.NaN],
  ['concurrency', '4'],
  ['timeoutMs', Number.NaN],
  ['timeoutMs', 1e12],
  ['patienceMs', -1],
  ['settleSeconds', Number.NaN],
  ['proxy', 'http://127.0.0.1:1'],
  ['proxy', { HTTP: 'http://127.0.0.1:1' }],
  ['headers', new Headers({ 'x-team': 'a' })],
  ['headers', [['x-team', 'a']]],
  ['headers', { 'x-team': 5 }],
  ['clientCertificate', { cert: 'a' }],
  ['fetch', 5],
  ['dispatcher', {}],
  ['signal', 'x'],
  ['onRequest', 5],
])('a client is not opened with %s: %o', (name, value) => {
  const open = () => openGatewayClient({ ...GIVEN, [name]: value } as never);
  const error = expect.objectContaining({ code: 'usage.invalid', message: expect.stringContaining(`\`${name}\``) });
  expect(open).toThrow(error);
  expect(open).toThrow(expect.objectContaining({ message: expect.not.stringContaining('canary') }));
});

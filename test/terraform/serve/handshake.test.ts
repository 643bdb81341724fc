import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { issueCertificate } from '../../../src/terraform/serve/certificate.ts';
import { identifier, time } from '../../../src/terraform/serve/der.ts';
import { handshakeLine, supportsProtocol, tryReadHandshake } from '../../../src/terraform/serve/handshake.ts';
import { openLog } from '../../../src/terraform/serve/log.ts';

const COOKIE = { TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2' };
const NOW = Date.UTC(2026, 10, 21);

describe('the certificate of one life', () => {
  const issued = issueCertificate(NOW);
  const read = new X509Certificate(issued.certificate);

  it('signs itself, for localhost, and is one that core may pin as an authority', () => {
    expect(read.verify(read.publicKey)).toBe(true);
    expect([read.ca, read.subjectAltName, read.subject]).toEqual([true, 'DNS:localhost', 'O=keyplane\nCN=localhost']);
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']);
    expect(read.checkHost('localhost')).toBe('localhost');
  });

  it('holds the key that it comes with, from a minute ago for a year', () => {
    expect(read.checkPrivateKey(createPrivateKey(issued.key))).toBe(true);
    expect([read.validFrom, read.validTo]).toEqual(['Nov 20 23:59:00 2026 GMT', 'Nov 21 00:00:00 2027 GMT']);
    expect(read.raw.equals(issued.der)).toBe(true);
  });

  it('is another one in each life', () => {
    const other = new X509Certificate(issueCertificate(NOW).certificate);
    expect(other.serialNumber).not.toBe(read.serialNumber);
  });

  it('writes years from 2050 on with four digits, and long numbers of identifiers', () => {
    expect(time(new Date(Date.UTC(2049, 11, 31))).toString('latin1', 2)).toBe('491231000000Z');
    expect(time(new Date(Date.UTC(2050, 0, 1))).toString('latin1', 2)).toBe('20500101000000Z');
    expect(identifier('1.2.840.10045.4.3.2').toString('hex')).toBe('06082a8648ce3d040302');
  });
});

describe('the invitation of core', () => {
  it('is none without its cookie', () => {
    expect(tryReadHandshake({})).toBeUndefined();
    expect(tryReadHandshake({ TF_PLUGIN_MAGIC_COOKIE: 'x' })).toBeUndefined();
  });

  it('may bring a certificate and a place for sockets', () => {
    expect(tryReadHandshake(COOKIE)).toEqual({ asksForMultiplexing: false });
    const env = {
      ...COOKIE,
      PLUGIN_CLIENT_CERT: 'pem',
      PLUGIN_UNIX_SOCKET_DIR: '/run/x',
      PLUGIN_MULTIPLEX_GRPC: 'true',
    };
    expect(tryReadHandshake(env)).toEqual({
      clientCertificate: 'pem',
      socketFolder: '/run/x',
      asksForMultiplexing: true,
    });
  });

  it('is answered in one line, with Base64 without padding', () => {
    const invitation = { asksForMultiplexing: false };
    expect(handshakeLine('/tmp/s', Uint8Array.of(1, 2), invitation)).toBe('1|6|unix|/tmp/s|grpc|AQI\n');
    expect(handshakeLine('/tmp/s', undefined, invitation)).toBe('1|6|unix|/tmp/s|grpc|\n');
    expect(handshakeLine('/tmp/s', undefined, { asksForMultiplexing: true })).toBe('1|6|unix|/tmp/s|grpc||false\n');
  });

  it.each([
    [undefined, true],
    ['5,6', true],
    ['6', true],
    ['5', false],
    ['16', false],
  ])('that offers %s: %s', (offered, answer) => {
    expect(supportsProtocol(offered === undefined ? {} : { PLUGIN_PROTOCOL_VERSIONS: offered })).toBe(answer);
  });
});

describe('the log', () => {
  const linesOf = (env: Record<string, string>): readonly string[] => {
    const lines: string[] = [];
    const log = openLog({ env, write: (line) => lines.push(line), now: () => new Date(NOW) });
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) log(level, level, { a: 1 });
    return lines.map((line) => JSON.parse(line)['@level']);
  };

  it.each<[Record<string, string>, number]>([
    [{}, 2],
    [{ TF_LOG: 'TRACE' }, 5],
    [{ TF_LOG: 'json' }, 5],
    [{ TF_LOG: 'debug', TF_LOG_PROVIDER: 'error' }, 1],
    [{ TF_LOG: 'off' }, 0],
  ])('with %j has %i lines', (env, count) => {
    expect(linesOf(env)).toHaveLength(count);
  });

  it('is written as core reads it; no field takes the place of another', () => {
    let line = '';
    const log = openLog({ env: {}, write: (text) => (line = text), now: () => new Date(NOW) });
    log('warn', 'hello\nthere', { '@level': 'trace', key: 5 });
    expect(JSON.parse(line)).toEqual({
      '@level': 'warn',
      '@message': 'hello\nthere',
      '@module': 'keyplane',
      '@timestamp': '2026-11-21T00:00:00.000000Z',
      key: 5,
    });
    expect(line.split('\n')).toHaveLength(2);
  });
});

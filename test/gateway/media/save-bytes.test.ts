import { describe, expect, test } from 'vitest';
import { readIntoMemory } from '../../../src/gateway/media/save-bytes.ts';
import { faultOf } from '../../http/client.ts';
import { respondWith } from '../../http/loopback.ts';
import { connected, KEY, parts } from '../inference/scripted-inference.ts';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

async function* pieces(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

describe('bytes read into memory', () => {
  test('are complete and in order', async () => {
    expect(textOf(await readIntoMemory(pieces('fi', '', 'lm')))).toBe('film');
  });

  test('are limited in number', async () => {
    expect(textOf(await readIntoMemory(pieces('fi', 'lm'), 4))).toBe('film');
    expect((await faultOf(readIntoMemory(pieces('fi', 'lm!'), 4))).code).toBe('media.damaged');
  });
});

describe('a link read into memory', () => {
  test('to the gateway’s own origin is requested with the key', async () => {
    const { server, inference } = await connected(parts(['fi', 'lm'], 'video/mp4'));
    const got = await inference.readUrl(`${server.url}/files/1?sign=2`);
    expect(textOf(got.value)).toBe('film');
    expect(got.status).toBe(200);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('that contains the file itself is decoded without a request', async () => {
    const { server, inference } = await connected(respondWith(200));
    expect(textOf((await inference.readUrl('data:image/png;base64,ZmlsbQ==')).value)).toBe('film');
    expect(server.seen).toHaveLength(0);
  });

  test.each([
    ['has expired', respondWith(403), 'gateway.refused'],
    ['leads to a page', respondWith(200, '<html></html>', { 'content-type': 'text/html' }), 'media.damaged'],
    ['leads to nothing', respondWith(200), 'media.damaged'],
  ])('that %s is a fault', async (_title, handler, code) => {
    const { server, inference } = await connected(handler);
    expect((await faultOf(inference.readUrl(`${server.url}/files/1`))).code).toBe(code);
  });
});

describe('a download read into memory', () => {
  const base64 = Buffer.from('film').toString('base64');

  test('is the decoded video', async () => {
    const { server, inference } = await connected(respondWith(200, { success: true, size: 4, base64 }));
    const got = await inference.readDownload('t1');
    expect(textOf(got.value)).toBe('film');
    expect(got.raw).toEqual({ success: true, size: 4, base64: '' });
    expect(server.seen[0]?.url).toBe('/v1/video/generations/download?id=t1');
  });

  test('with another size than announced is media.damaged', async () => {
    const { inference } = await connected(respondWith(200, { success: true, size: 5, base64 }));
    expect((await faultOf(inference.readDownload('t1'))).code).toBe('media.damaged');
  });
});

import * as telemetry from '@opentelemetry/api';
import { type Attributes, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { stage } from './stage.ts';

interface Recorded {
  readonly name: string;
  readonly kind: number | undefined;
  attributes: Attributes;
  status?: number;
  ended: boolean;
}

/** A provider that keeps its spans. */
function registerProvider(): readonly Recorded[] {
  const spans: Recorded[] = [];
  const startSpan = (name: string, { kind, attributes = {} }: SpanOptions = {}): Span => {
    const recorded: Recorded = { name, kind, attributes, ended: false };
    spans.push(recorded);
    const span = {
      setAttributes: (more: Attributes) => {
        recorded.attributes = { ...recorded.attributes, ...more };
      },
      setStatus: ({ code }: { code: number }) => {
        recorded.status = code;
      },
      end: () => {
        recorded.ended = true;
      },
    };
    return span as unknown as Span;
  };
  const startActiveSpan = (): never => {
    throw new Error('not used');
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) });
  return spans;
}

afterEach(() => trace.disable());

describe('spans', () => {
  it('are written for each attempt, with the semantic conventions, and without a secret', async () => {
    const { open, control } = await stage('deployed');
    const spans = registerProvider();
    const gateway = open({ telemetry });
    await control.script({ kind: 'status', code: 503, path: '/api/token/{id}' });
    await gateway.keys.get(1);
    const read = spans.filter(({ attributes }) => attributes['url.path'] === '/api/token/1');
    const common = { 'http.request.method': 'GET', 'server.address': '127.0.0.1' };
    expect(read).toMatchObject([
      {
        name: 'GET',
        kind: 2,
        attributes: { ...common, 'http.response.status_code': 503, 'error.type': '503' },
        status: 2,
      },
      { attributes: { ...common, 'http.response.status_code': 200, 'http.request.resend_count': 1 } },
    ]);
    expect(spans.every(({ ended }) => ended)).toBe(true);
    expect(JSON.stringify(spans)).not.toContain('canary');
  });

  it('have the IDs that the gateway gives requests, as the hooks do', async () => {
    const { open } = await stage('deployed');
    const spans = registerProvider();
    const ids: string[] = [];
    const gateway = open({ telemetry, onResponse: ({ requestId }) => void (requestId && ids.push(requestId)) });
    const chat = { model: 'alpha-chat-1', messages: [{ role: 'user' as const, content: 'Hello' }] };
    await gateway.inference(await gateway.keys.reveal(1)).chat(chat);
    expect(ids.length).toBeGreaterThan(0);
    const traced = spans.flatMap(({ attributes }) => attributes['keyplane.request_id'] ?? []);
    expect(traced).toEqual(ids);
  });

  it('are written to nobody without a provider', async () => {
    const { open } = await stage('deployed');
    const gateway = open({ telemetry });
    expect((await gateway.keys.get(1)).id).toBe(1);
  });
});

import type { HttpHooks } from '../gateway/index.ts';

/** The part of `@opentelemetry/api` that is used: the module itself has it. */
export interface Telemetry {
  /** Makes tracers. */
  readonly trace: { getTracer(name: string): Tracer };
  /** The kinds of spans. */
  readonly SpanKind: { readonly CLIENT: number };
  /** The outcomes of spans. */
  readonly SpanStatusCode: { readonly ERROR: number };
}

interface Tracer {
  startSpan(name: string, options: { readonly kind: number; readonly attributes: SpanAttributes }): OpenSpan;
}

interface OpenSpan {
  setAttributes(attributes: SpanAttributes): unknown;
  setStatus(status: { readonly code: number }): unknown;
  end(): void;
}

type SpanAttributes = Readonly<Record<string, string | number>>;

/** Returns hooks that write one span for each attempt of a request. Attributes follow the semantic conventions for HTTP clients. The path has no query, which may contain a secret. */
export function spanHooks({ trace, SpanKind, SpanStatusCode }: Telemetry): HttpHooks {
  const open = new Map<string, OpenSpan>();
  const keyOf = ({ id, attempt }: { readonly id: number; readonly attempt: number }): string => `${id}.${attempt}`;
  return {
    onRequest(event) {
      const { method, path, host, attempt } = event;
      const attributes = {
        'http.request.method': method,
        'url.path': path.replace(/\?.*$/, ''),
        'server.address': host.replace(/:\d+$/, ''),
        ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
      };
      // Asked for each time: a provider may be registered after the client was opened.
      open.set(keyOf(event), trace.getTracer('keyplane').startSpan(method, { kind: SpanKind.CLIENT, attributes }));
    },
    onResponse(event) {
      const { status, code, requestId } = event;
      const span = open.get(keyOf(event));
      open.delete(keyOf(event));
      const error = code ?? (status !== undefined && status >= 400 ? String(status) : undefined);
      span?.setAttributes({
        ...(status === undefined ? {} : { 'http.response.status_code': status }),
        ...(requestId === undefined ? {} : { 'keyplane.request_id': requestId }),
        ...(error === undefined ? {} : { 'error.type': error }),
      });
      if (error !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
  };
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeValue, encodeValue } from '../../../src/terraform/codec/msgpack.ts';
import {
  isObject,
  type TerraformObject,
  type TerraformValue,
  type ValueType,
} from '../../../src/terraform/codec/value.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import type { Draft } from '../../../src/terraform/protocol/message.ts';
import { type Method, PROVIDER, SERVICE_NAMES } from '../../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../../src/terraform/provider/handlers.ts';
import { type Schema, typeOf } from '../../../src/terraform/provider/schema.ts';
import { listen } from '../../../src/terraform/serve/grpc.ts';
import { NOW, openStage } from '../../checks/stage.ts';
import { openPluginClient } from '../plugin-client.ts';

/** Core calls a defect of the provider this. */
export const DEFECT = 'This is a bug in the provider';

type Bytes = { readonly msgpack: Uint8Array } | undefined;

export const bytes = (value: TerraformValue, type: ValueType) => ({ msgpack: encodeValue(value, type) });

export const bytesOf = ({ attributes }: Pick<Schema, 'attributes'>, config: TerraformObject | null) => {
  const whole = config && Object.fromEntries(Object.keys(attributes).map((name) => [name, config[name] ?? null]));
  return bytes(whole, typeOf({ attributes }));
};

export function objectIn(schema: Pick<Schema, 'attributes'>, bytes: Bytes): TerraformObject | null {
  const value = bytes === undefined || bytes.msgpack.length === 0 ? null : decodeValue(bytes.msgpack, typeOf(schema));
  return isObject(value) ? value : null;
}

/** The provider of keys behind its server, in the time of a reference gateway, and a core that calls it. */
export async function openProvider() {
  const stage = await openStage('contract');
  const folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const stop = new AbortController();
  const provider = keyplaneProvider({}, () => NOW, { clock: stage.clock });
  const broken: string[] = [];
  const listening = await listen({
    socket: join(folder, 's'),
    services: [{ service: SERVICE_NAMES.provider, methods: PROVIDER, handlers: handlersOf(provider, stop) }],
    tls: undefined,
    stop: stop.signal,
    onDefect: (method, thrown) => broken.push(`${method}: ${String(thrown)}`),
  });
  const client = openPluginClient(join(folder, 's'));
  return {
    provider,
    /** Calls that failed without a diagnostic. */
    broken,
    settings: { url: stage.url, user_id: 42, access_token: 'token-of-anna', lock: 'none', settle: '0s' },
    ask: <Q extends object, A extends object>(method: Method<Q, A>, request: Draft<Q>) =>
      client.ask('provider', method, request),
    stream: <Q extends object, A extends object>(method: Method<Q, A>, request: Draft<Q>) =>
      client.stream('provider', method, request),
    async close() {
      client.close();
      listening.close();
      await provider.close();
      await stage.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type OpenedProvider = Awaited<ReturnType<typeof openProvider>>;

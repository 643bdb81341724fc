// A provider that does nothing, on the transport of Keyplane’s: it has the same schema, and returns what core sends. Terraform
// with it is the floor for a provider in this language. Core prints what a plan knows and what it does not: the floor plans the
// computed attributes of a new key as every framework of providers does, or core would have a third of the text to print.
import { decode, Encoder, ExtData } from '@msgpack/msgpack';
import { EncodedMessage } from '../../src/terraform/protocol/message.ts';
import { PROVIDER, SERVICE_NAMES } from '../../src/terraform/protocol/services.ts';
import type { Handlers } from '../../src/terraform/serve/grpc.ts';
import { runPlugin } from '../../src/terraform/serve/plugin.ts';

/** Defined by the bundle: the response of Keyplane’s provider to `GetProviderSchema`, in Base64. */
declare const SCHEMA_RESPONSE: string;

/** Defined by the bundle: the computed attributes of a key. */
declare const COMPUTED: readonly string[];

const UNKNOWN = new ExtData(0, Uint8Array.of(0));
const NULL = 0xc0;
const encoder = new Encoder();

function planned(proposed: Uint8Array): Uint8Array {
  const values = decode(proposed) as Record<string, unknown>;
  for (const name of COMPUTED) values[name] ??= UNKNOWN;
  return encoder.encode(values);
}

const handlers: Partial<Omit<Handlers<typeof PROVIDER>, 'getProviderSchema'>> = {
  getResourceIdentitySchemas: () => ({}),
  validateProviderConfig: () => ({}),
  validateResourceConfig: () => ({}),
  configureProvider: () => ({}),
  // A value may travel as JSON, which is what core has stored.
  upgradeResourceState: ({ rawState }) => ({ upgradedState: { json: rawState?.json } }),
  readResource: ({ state, private: kept }) => ({ newState: state, private: kept }),
  planResourceChange: ({ priorState, proposedNewState, priorPrivate }) => ({
    plannedState:
      priorState?.msgpack[0] === NULL && proposedNewState
        ? { ...proposedNewState, msgpack: planned(proposedNewState.msgpack) }
        : proposedNewState,
    plannedPrivate: priorPrivate,
  }),
  applyResourceChange: ({ plannedState, plannedPrivate }) => ({ newState: plannedState, private: plannedPrivate }),
  stopProvider: () => ({}),
};

/** In the bytes that it sends, as Keyplane’s provider has it. */
const schema = new EncodedMessage(Buffer.from(SCHEMA_RESPONSE, 'base64'));

void runPlugin({
  env: process.env,
  mount: () => ({
    service: SERVICE_NAMES.provider,
    methods: PROVIDER,
    handlers: { ...handlers, getProviderSchema: () => schema } as never,
    close: async () => {},
  }),
});

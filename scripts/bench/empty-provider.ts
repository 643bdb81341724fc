// A provider that does nothing, on the transport of Keyplane’s: it has the same schema, and returns what core sends. Terraform
// with it is the floor for a provider in this language.
import { EncodedMessage } from '../../src/terraform/protocol/message.ts';
import { PROVIDER, SERVICE_NAMES } from '../../src/terraform/protocol/services.ts';
import type { Handlers } from '../../src/terraform/serve/grpc.ts';
import { runPlugin } from '../../src/terraform/serve/plugin.ts';

/** Defined by the bundle: the response of Keyplane’s provider to `GetProviderSchema`, in Base64. */
declare const SCHEMA_RESPONSE: string;

const handlers: Partial<Omit<Handlers<typeof PROVIDER>, 'getProviderSchema'>> = {
  getResourceIdentitySchemas: () => ({}),
  validateProviderConfig: () => ({}),
  validateResourceConfig: () => ({}),
  configureProvider: () => ({}),
  // A value may travel as JSON, which is what core has stored.
  upgradeResourceState: ({ rawState }) => ({ upgradedState: { json: rawState?.json } }),
  readResource: ({ state, private: kept }) => ({ newState: state, private: kept }),
  planResourceChange: ({ proposedNewState, priorPrivate }) => ({
    plannedState: proposedNewState,
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

import { keyplaneProvider } from './keyplane/provider.ts';
import { PROVIDER, SERVICE_NAMES } from './protocol/services.ts';
import { handlersOf } from './provider/handlers.ts';
import { providerSchemaJson } from './provider/schema-json.ts';
import { runPlugin } from './serve/plugin.ts';

const { env } = process;

const ADDRESS = 'registry.terraform.io/keyplane/keyplane';

const now = (): number => Math.floor(Date.now() / 1000);

const serve = (): Promise<void> =>
  runPlugin({
    env,
    mount(stop, log) {
      const provider = keyplaneProvider(env, now, { trace: (event) => log('debug', 'request', { ...event }) });
      return { service: SERVICE_NAMES.provider, methods: PROVIDER, handlers: handlersOf(provider, stop) };
    },
  });

const schema = (): string => JSON.stringify(providerSchemaJson(ADDRESS, keyplaneProvider(env, now)));

// No top-level await: the bundle is CommonJS, which does not have it.
if (process.argv[2] === 'schema') process.stdout.write(`${schema()}\n`);
else void serve();

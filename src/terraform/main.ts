import { keyplaneProvider } from './keyplane/provider.ts';
import { PROVIDER, SERVICE_NAMES } from './protocol/services.ts';
import { answersOf } from './provider/answers.ts';
import { providerSchemaJson } from './provider/schema-json.ts';
import { runPlugin } from './serve/plugin.ts';

const { env } = process;

const ADDRESS = 'registry.terraform.io/keyplane/keyplane';

const now = (): number => Math.floor(Date.now() / 1000);

const serve = (): Promise<void> =>
  runPlugin({
    env,
    mount(stop, log) {
      const provider = keyplaneProvider(env, now, (event) => log('debug', 'request', { ...event }));
      return { service: SERVICE_NAMES.provider, calls: PROVIDER, answers: answersOf(provider, stop) };
    },
  });

const schema = (): string => JSON.stringify(providerSchemaJson(ADDRESS, keyplaneProvider(env, now)));

// Nothing is awaited here: as one bundled file it is CommonJS, which can not.
if (process.argv[2] === 'schema') process.stdout.write(`${schema()}\n`);
else void serve();

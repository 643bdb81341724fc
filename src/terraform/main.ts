import { once } from 'node:events';
import { EncodedMessage } from './protocol/message.ts';
import { PROVIDER, SERVICE_NAMES } from './protocol/services.ts';
import { ENCODED_SCHEMA } from './schema-response.ts';
import { lateHandlers } from './serve/late-handlers.ts';
import { type PluginOptions, runPlugin } from './serve/plugin.ts';

const { env } = process;

/** Terraform and OpenTofu complete the same source with their own registry. */
const ADDRESS = 'registry.terraform.io/keyplane/keyplane';
const ADDRESSES = [ADDRESS, 'registry.opentofu.org/keyplane/keyplane'];

/** Defined by the bundle. */
declare const KEYPLANE_VERSION: string | undefined;

/** The first process of a command answers one question, for the schema, and loads nothing for it. */
const mount: PluginOptions['mount'] = (stop, log) => {
  const load = async () => (await import('./served.ts')).openServed(env, stop, log);
  let opened: ReturnType<typeof load> | undefined;
  const open = () => {
    opened ??= load();
    return opened;
  };
  const late = lateHandlers(PROVIDER, async () => (await open()).handlers);
  const schema = ENCODED_SCHEMA && new EncodedMessage(Buffer.from(ENCODED_SCHEMA, 'base64'));
  return {
    service: SERVICE_NAMES.provider,
    methods: PROVIDER,
    handlers: schema ? { ...late, getProviderSchema: () => schema } : late,
    close: async () => await (await opened)?.close(),
  };
};

async function printSchema(): Promise<void> {
  const { schemaText } = await import('./served.ts');
  process.stdout.write(`${schemaText(ADDRESS, env)}\n`);
}

async function debug(): Promise<void> {
  const { serveForDebugging } = await import('./serve/debug.ts');
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const write = (text: string) => process.stdout.write(text);
  await serveForDebugging({ env, mount, addresses: ADDRESSES, write, interrupted });
  process.exit(0);
}

const version = (): string =>
  `terraform-provider-keyplane ${typeof KEYPLANE_VERSION === 'string' ? KEYPLANE_VERSION : 'not bundled'}\n`;

// Go’s providers take one dash and two.
const [, , word = ''] = process.argv;
const flag = word.replace(/^--/, '-');
// No top-level await: the bundle is CommonJS, which does not have it.
if (word === 'schema') void printSchema();
else if (flag === '-version') process.stdout.write(version());
else if (flag === '-debug') void debug();
else void runPlugin({ env, mount });

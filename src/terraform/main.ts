import { keyplaneProvider } from './keyplane/provider.ts';
import { PROVIDER, SERVICE_NAMES } from './protocol/services.ts';
import { answersOf } from './provider/answers.ts';
import { runPlugin } from './serve/plugin.ts';

const { env } = process;

await runPlugin({
  env,
  mount: (stop) => ({
    service: SERVICE_NAMES.provider,
    calls: PROVIDER,
    answers: answersOf(
      keyplaneProvider(env, () => Math.floor(Date.now() / 1000)),
      stop,
    ),
  }),
});

// Synthesizes as many keys as it is told, by the class of ours (`keys`) or by the generated one (`generated`), for one CDK.
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
const [cdk, kind, count, outdir] = process.argv.slice(2);
const { App, Aspects, TerraformStack } = load(cdk);
const { ApiKey, KeyplaneProvider, RequireBudget } = load(`keyplane/constructs/${cdk}`);
const { apiKey, provider } = load(`keyplane/constructs/${cdk}/provider`);

const app = new App({ outdir });
const stack = new TerraformStack(app, 'bench');
const isOurs = kind === 'keys';
new (isOurs ? KeyplaneProvider : provider.KeyplaneProvider)(stack, 'keyplane', {
  url: 'http://127.0.0.1:8787',
  userId: 1,
});
if (isOurs) Aspects.of(app).add(new RequireBudget());
const Key = isOurs ? ApiKey : apiKey.ApiKey;
for (let i = 1; i <= Number(count); i += 1) {
  new Key(stack, `key-${i}`, {
    name: `bench-${i}`,
    models: ['alpha-chat-1', 'text-embedding-3-small'],
    allowIps: ['10.0.0.0/8'],
    budget: { usd: 10 },
  });
}
app.synth();

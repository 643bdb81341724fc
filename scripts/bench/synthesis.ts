// Synthesizes a number of keys for one CDK, by our class (`keys`) or by the generated one (`generated`). Each loads only what it uses.
import { createRequire } from 'node:module';
import type * as Cdk from 'cdktf';
import type * as Ours from 'keyplane/constructs/cdktf';
import type * as Generated from 'keyplane/constructs/cdktf/provider';

const load = createRequire(import.meta.url);
const [cdk = 'cdktf', kind, count, outdir = ''] = process.argv.slice(2);
// Both CDKs have the same shape.
const { App, Aspects, TerraformStack } = load(cdk) as typeof Cdk;

function ourClasses(app: Cdk.App) {
  const { ApiKey, KeyplaneProvider, RequireBudget } = load(`keyplane/constructs/${cdk}`) as typeof Ours;
  Aspects.of(app).add(new RequireBudget());
  return { Key: ApiKey, Provider: KeyplaneProvider };
}

function generatedClasses() {
  const { apiKey, provider } = load(`keyplane/constructs/${cdk}/provider`) as typeof Generated;
  return { Key: apiKey.ApiKey, Provider: provider.KeyplaneProvider };
}

const app = new App({ outdir });
const stack = new TerraformStack(app, 'bench');
const { Key, Provider } = kind === 'keys' ? ourClasses(app) : generatedClasses();
new Provider(stack, 'keyplane', { url: 'http://127.0.0.1:8787', userId: 1 });
for (let i = 1; i <= Number(count); i += 1) {
  new Key(stack, `key-${i}`, {
    name: `bench-${i}`,
    models: ['alpha-chat-1', 'text-embedding-3-small'],
    allowIps: ['10.0.0.0/8'],
    budget: { usd: 10, per: 'lifetime' },
  });
}
app.synth();

/**
 * The keys of a platform team: two environments, three teams, and the rules of its security team for every key.
 * `npm run synth` writes it for Terraform, with both CDKs; `keyplane plan -f cdktf.out` reads the output without Terraform.
 */
import { App, Aspects, RequireAllowlist, RequireBudget, RequireExpiry } from './cdk.ts';
import { ENVIRONMENTS } from './environment.ts';
import { Platform } from './platform.ts';

const app = new App();
const url = process.env.KEYPLANE_URL ?? 'http://127.0.0.1:8787';
const userId = Number(process.env.KEYPLANE_USER_ID ?? 1);

for (const environment of ENVIRONMENTS) new Platform(app, environment, { url, userId });

Aspects.of(app).add(new RequireBudget({ atMost: { usd: 500 } }));
Aspects.of(app).add(new RequireExpiry());
Aspects.of(app).add(new RequireAllowlist({ models: ['alpha-chat-1', 'text-embedding-3-small'], addresses: true }));

app.synth();

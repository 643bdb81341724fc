import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/** The constructs as the package ships them for one CDK, and that CDK. */
export interface Flavour {
  readonly name: 'cdktf' | 'cdktn';
  readonly cdk: typeof import('cdktf');
  readonly keys: typeof import('keyplane/constructs/cdktf');
  readonly generated: typeof import('keyplane/constructs/cdktf/provider');
}

const flavour = (name: Flavour['name']): Flavour => ({
  name,
  cdk: load(name),
  keys: load(`keyplane/constructs/${name}`),
  generated: load(`keyplane/constructs/${name}/provider`),
});

export const FLAVOURS: readonly Flavour[] = [flavour('cdktf'), flavour('cdktn')];

export const NOW = '2026-11-21T00:00:00Z';

/** A stack of an app with a fixed clock, with a provider whose account is configured. */
export function openStack({ cdk, keys }: Flavour, id = 'prod', app = keys.KeyplaneTesting.app(NOW)) {
  const stack = new cdk.TerraformStack(app, id);
  const provider = new keys.KeyplaneProvider(stack, 'keyplane', { url: 'https://gateway.example.com', userId: 42 });
  return { app, stack, provider };
}

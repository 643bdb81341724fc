import { Fault } from '../../../domain/index.ts';

/** The name that Terraform gives a platform. */
export const PLATFORMS = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'] as const;

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/** @throws Fault `usage.invalid` where nothing can start the provider */
export function platformOf({ platform, arch }: { readonly platform: string; readonly arch: string }): string {
  if (platform !== 'win32') return `${platform}_${ARCHITECTURES[arch] ?? arch}`;
  throw new Fault('usage.invalid', 'The provider does not run on Windows: a shell script starts it.', {
    hint: 'Run Terraform and Keyplane in WSL, or choose the platforms to install for with --platform.',
  });
}

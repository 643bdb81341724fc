import { matchesAnyGlob, type RemoteTarget, sinkAddress } from '../../domain/index.ts';

/** An address or a pattern of one: `vault`, `vault.example.com`, `secret/*`. */
interface AddressParts {
  readonly kind: string;
  readonly host: string;
  readonly path: string;
}

/** Undefined: the text is not an address. A pattern that ends with the `*` of its host stands for every path. */
function partsOf(text: string): AddressParts | undefined {
  const [, kind, host, path] = /^([^:/]+):\/\/([^/]+)(?:\/(.*))?$/.exec(text) ?? [];
  if (kind === undefined || host === undefined) return undefined;
  return { kind, host, path: path ?? (host.endsWith('*') ? '*' : '') };
}

/**
 * May a run contact this place? The `*` of a host stands for no slash: whatever follows the host of an address is chosen by the
 * author of the manifest, and could look like the end of an allowed host.
 */
export function isAllowedSink(target: RemoteTarget, { allowed }: { readonly allowed: readonly string[] }): boolean {
  const place = partsOf(sinkAddress(target));
  // The first part is a region, unless the manifest names a server: then the `*` of a region must not stand for it.
  const isLiteral = 'awsSecret' in target && target.awsSecret.url !== undefined;
  return allowed.some((pattern) => {
    if (pattern === '*') return true;
    const parts = partsOf(pattern);
    if (!place || !parts || (isLiteral && parts.host !== place.host)) return false;
    return (['kind', 'host', 'path'] as const).every((part) => matchesAnyGlob([parts[part]], place[part]));
  });
}

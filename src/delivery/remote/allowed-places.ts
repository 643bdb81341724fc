import { matchesAnyGlob, NAMESPACE_END, type RemoteTarget, sinkAddress } from '../../domain/index.ts';

/** An address or a pattern of one: `vault`, `vault.example.com`, `secret/*`. */
interface AddressParts {
  readonly kind: string;
  readonly host: string;
  /** The namespace of Vault; otherwise empty. */
  readonly namespace: string;
  readonly path: string;
}

/** Undefined: the text is not an address. A pattern that ends with the `*` of its host stands for every path. */
function partsOf(text: string, hasNamespaces: boolean): AddressParts | undefined {
  const [, kind, host, rest = host?.endsWith('*') ? '*' : ''] = /^([^:/]+):\/\/([^/]+)(?:\/(.*))?$/.exec(text) ?? [];
  if (kind === undefined || host === undefined) return undefined;
  const end = hasNamespaces ? rest.indexOf(NAMESPACE_END) : -1;
  if (end >= 0) return { kind, host, namespace: rest.slice(0, end), path: rest.slice(end + NAMESPACE_END.length) };
  // The pattern of all places of a host includes those of namespaces; any other one names a mount first.
  return { kind, host, namespace: rest === '*' ? rest : '', path: rest };
}

/**
 * May a run contact this place? The `*` of a host stands for no slash: whatever follows the host of an address is chosen by the
 * author of the manifest, and could look like the end of an allowed host.
 */
export function isAllowedSink(target: RemoteTarget, { allowed }: { readonly allowed: readonly string[] }): boolean {
  const hasNamespaces = 'vault' in target;
  const place = partsOf(sinkAddress(target), hasNamespaces);
  // The first part is a region, unless the manifest names a server: then the `*` of a region must not stand for it.
  const isLiteral = 'awsSecret' in target && target.awsSecret.url !== undefined;
  return allowed.some((pattern) => {
    if (pattern === '*') return true;
    const parts = partsOf(pattern, hasNamespaces);
    if (!place || !parts || (isLiteral && parts.host !== place.host)) return false;
    return (['kind', 'host', 'namespace', 'path'] as const).every((part) => matchesAnyGlob([parts[part]], place[part]));
  });
}

/** Does this host, to listen on or from a `Host` header, name this machine? */
export const isLoopbackName = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** Does this address of a peer belong to this machine? */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && isLoopbackName(address.replace(/^::ffff:/i, ''));

/** Names and addresses of this machine, as a host to listen on or as the `Host` of a request. */
export const isLoopbackName = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** The address at the other end of a connection. */
export const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && isLoopbackName(address.replace(/^::ffff:/i, ''));

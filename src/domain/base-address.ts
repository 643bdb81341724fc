/** A gateway's base address as it is written everywhere: no user, no query and no fragment, where secrets could be. */
export const BASE_ADDRESS = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/u;

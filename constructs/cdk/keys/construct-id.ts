/** Names that every object has: `constructs` keeps the children of a construct in an object. */
const TAKEN: ReadonlySet<string> = new Set(['', ...Object.getOwnPropertyNames(Object.prototype)]);

/** Escapes characters that an ID cannot contain. */
const escaped = (name: string): string => name.replace(/[%/]/g, (sign) => (sign === '/' ? '%2F' : '%25'));

/** Returns the ID of the construct for a name. Different names have different IDs; a reserved name gets a `%` at its end. */
export const idOf = (name: string): string => (TAKEN.has(name) ? `${name}%` : escaped(name));

/** What every object has already: `constructs` keeps its children in one. */
const TAKEN: ReadonlySet<string> = new Set(['', ...Object.getOwnPropertyNames(Object.prototype)]);

/** Signs that an id can not hold, and the sign that stands for them. A name that is taken gets one at its end. */
const escaped = (name: string): string => name.replace(/[%/]/g, (sign) => (sign === '/' ? '%2F' : '%25'));

/** The id of the construct that is called by a name: two names never become one id. */
export const idOf = (name: string): string => (TAKEN.has(name) ? `${name}%` : escaped(name));

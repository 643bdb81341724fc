/** Turns the name of an attribute into that of a generated class’s property: `allow_ips` into `allowIps`. */
export const propertyName = (attribute: string): string =>
  attribute.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

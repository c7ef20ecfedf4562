/** Replaces the variables $NS, $ID and $RUN in the texts and keys of a value. */
export const fill = (value, variables) =>
  typeof value === 'string'
    ? value.replace(/\$(NS|ID|RUN)\b/g, (_, name) => variables[name])
    : Array.isArray(value)
      ? value.map(item => fill(item, variables))
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key, variables), fill(item, variables)]))
        : value

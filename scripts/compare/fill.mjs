/** Replaces the variables $NS, $ID and $RUN, and those of webhooks, $HOOKS and $CA, in the texts and keys of a value. */
export const fill = (value, variables) =>
  typeof value === 'string'
    ? value.replace(/\$(NS|ID|RUN|HOOKS|CA)\b/g, (found, name) => variables[name] ?? found)
    : Array.isArray(value)
      ? value.map(item => fill(item, variables))
      : value !== null && typeof value === 'object' && !Buffer.isBuffer(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key, variables), fill(item, variables)]))
        : value

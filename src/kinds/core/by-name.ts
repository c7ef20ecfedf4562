/** Returns the items by name. Of several items with the same name, the first one counts. */
export const byName = <T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.toReversed().map(item => [item.name, item]))

/** Items by name; of several with the same name, the first. */
export const byName = <T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.toReversed().map(item => [item.name, item]))

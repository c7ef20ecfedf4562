/** Parses and writes the names of resources as the configuration has them. */

export interface GroupResource {
  readonly group: string
  readonly resource: string
}

export const anyOfAll: GroupResource = { group: '*', resource: '*' }

/** Parses `deployments.apps`: everything after the first dot is the group. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.')
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) }
}

/** Writes a name: `secrets`, `deployments.apps`. */
export const groupResourceText = ({ group, resource }: GroupResource): string =>
  group === '' ? resource : `${resource}.${group}`

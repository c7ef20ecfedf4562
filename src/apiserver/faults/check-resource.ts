/** Refuses resources that no request can ever have, and says which one was meant. */
import { builtinKinds } from '../../kinds/index.js'
import { suggest } from '../../util/suggest.js'

const groups = new Set(builtinKinds.map(({ group }) => group))

/**
 * Returns what is wrong with a resource as rules name it; undefined for one that is built in or may be of a definition. Resources of definitions have groups with a dot, and
 * may come later.
 */
export function resourceProblem(text: string): string | undefined {
  const [qualified = '', subresource] = text.split('/')
  const dot = qualified.indexOf('.')
  const name = dot < 0 ? qualified : qualified.slice(0, dot)
  const group = dot < 0 ? undefined : qualified.slice(dot + 1)
  if (group !== undefined && !groups.has(group) && !group.includes('.')) {
    const near = suggest(group, groups)
    return `names the group ${JSON.stringify(group)}, which no resource has${near ? `; did you mean ${name}.${near}?` : ''}`
  }
  if (name === '*') return undefined
  const kinds = builtinKinds.filter(kind => group === undefined || kind.group === group)
  const found = kinds.filter(({ resource }) => resource === name)
  if (found.length > 0) return subresourceProblem(found, qualified, subresource)
  const called = kinds.find(it => it.kind.toLowerCase() === name || it.singular === name || it.shortNames?.includes(name))
  const near = called?.resource ?? suggest(name, new Set(kinds.map(({ resource }) => resource)))
  const isOfDefinition = group !== undefined && !groups.has(group)
  if (isOfDefinition || (group === undefined && near === undefined)) return undefined
  const meant = near === undefined ? '' : `; did you mean ${near}${group ? `.${group}` : ''}?`
  return `has no resource ${JSON.stringify(qualified)}${meant}`
}

function subresourceProblem(found: typeof builtinKinds, qualified: string, wanted: string | undefined): string | undefined {
  if (wanted === undefined || wanted === '*') return undefined
  const known = new Set(
    found.flatMap(({ subresources: { status, scale, others } = {} }) => [
      ...(status ? ['status'] : []),
      ...(scale ? ['scale'] : []),
      ...Object.keys(others ?? {})
    ])
  )
  if (known.has(wanted)) return undefined
  const near = suggest(wanted, known)
  const meant = near ? `; did you mean ${near}?` : known.size > 0 ? `; it has ${[...known].join(', ')}` : '; it has none'
  return `has no subresource ${JSON.stringify(wanted)} of ${qualified}${meant}`
}

/** The environment of a simulated container, as far as its Pod says it. */
import type { Container, Pod } from '../../apimachinery/api/generated/core-v1.js'

/** What a command may grow to by the values of its variables. */
export const mostCharacters = 65_536

/** Variables whose values come from other objects are left out. */
export function environmentOf(pod: Pod, { env = [] }: Container): ReadonlyMap<string, string> {
  const variables = new Map([
    ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ['HOSTNAME', pod.spec.hostname ?? pod.metadata.name!]
  ])
  for (const { name, value, valueFrom } of env) {
    const known = valueFrom ? fieldOf(pod, valueFrom.fieldRef?.fieldPath ?? '') : (value ?? '')
    if (known === undefined) variables.delete(name)
    else variables.set(name, known)
  }
  return variables
}

const keyed = /^metadata\.(labels|annotations)\['(.*)'\]$/

function fieldOf({ metadata, spec, status }: Pod, path: string): string | undefined {
  const [, field, key] = keyed.exec(path) ?? []
  if (field && key !== undefined) {
    const map = metadata[field as 'labels' | 'annotations'] ?? {}
    return Object.hasOwn(map, key) ? map[key] : ''
  }
  switch (path) {
    case 'metadata.name':
      return metadata.name
    case 'metadata.namespace':
      return metadata.namespace
    case 'metadata.uid':
      return metadata.uid
    case 'spec.nodeName':
      return spec.nodeName
    case 'spec.serviceAccountName':
      return spec.serviceAccountName
    case 'status.podIP':
      return status.podIP
    case 'status.hostIP':
      return status.hostIP
    default:
      return undefined
  }
}

const reference = /\$\$|\$\(([^()]*)\)/g

/**
 * The command of a container with its arguments, in which `$(NAME)` stands for the variable and `$$` for a dollar sign. Undefined where it
 * has none, or has variables that are not known. Without a command, the first argument is taken for it: that is so for images of plain systems.
 */
export function commandOf(
  { command = [], args = [] }: Container,
  environment: ReadonlyMap<string, string>
): string[] | undefined {
  let size = 0
  let isKnown = true
  const words = [...command, ...args].map(word =>
    word.replace(reference, (_, name: string | undefined) => {
      if (name === undefined) return '$'
      const value = size > mostCharacters ? undefined : environment.get(name)
      size += value?.length ?? 0
      isKnown &&= value !== undefined
      return value ?? ''
    })
  )
  return isKnown && words.length > 0 ? words : undefined
}

import { ApiError } from './error.js'
import type { Resource } from './types.js'

/** A question about access, as the address of the page has it. */
export interface Question {
  readonly user: string
  readonly groups: readonly string[]
  readonly verb: string
  /** `deployments.apps`, `pods/log`; empty for a path. */
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
}

export const qualifiedName = ({ group, name }: Pick<Resource, 'group' | 'name'>): string => (group ? `${name}.${group}` : name)

export function questionOf(query: URLSearchParams): Question {
  const text = (name: string) => query.get(name)?.trim() ?? ''
  return {
    user: text('user'),
    groups: text('groups')
      .split(',')
      .map(group => group.trim())
      .filter(Boolean),
    verb: text('verb'),
    resource: text('resource'),
    namespace: text('namespace'),
    name: text('name'),
    path: text('path')
  }
}

export function routeOf(question: Partial<Question>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(question)) if (value && value.length > 0) query.set(name, String(value))
  return `/console/access?${query}`
}

/** Says a request in words: `create pods in namespace shop`. */
export function requestText({ verb, resource, namespace, name, path }: Omit<Question, 'user' | 'groups'>): string {
  if (path) return `${verb} ${path}`
  return `${verb} ${resource}${name ? ` "${name}"` : ''}${namespace ? ` in namespace ${namespace}` : ''}`
}

const refusal =
  /User "(.*?)" cannot (\S+) (?:path "([^"]*)"|resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]*)")?)/

/** What was asked for when the server answered 403: its message tells. */
export function questionOfRefusal(error: unknown): Partial<Question> | undefined {
  if (!(error instanceof ApiError) || error.code !== 403) return undefined
  const [, user, verb, path, resource, group, namespace] = refusal.exec(error.message) ?? []
  if (user === undefined || verb === undefined) return undefined
  if (path !== undefined) return { user, verb, path }
  const [name, subresource] = (resource ?? '').split('/')
  const qualified = `${qualifiedName({ group: group ?? '', name: name! })}${subresource ? `/${subresource}` : ''}`
  return { user, verb, resource: qualified, namespace: namespace ?? '' }
}

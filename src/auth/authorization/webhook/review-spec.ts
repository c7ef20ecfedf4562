/** The part of a SubjectAccessReview that describes a request. */
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import { sortedKeys } from '../../../util/go-format.js'

interface Requirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[] | undefined
}

interface Selector {
  readonly requirements: readonly Requirement[]
}

/** The spec of a SubjectAccessReview v1, with its fields in Go's order and without empty ones. */
export interface ReviewSpec {
  readonly resourceAttributes?: Readonly<Record<string, string | Selector | undefined>>
  readonly nonResourceAttributes?: Readonly<Record<string, string | undefined>>
  readonly user?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
  readonly uid?: string | undefined
}

const given = (text: string | undefined) => text || undefined
const filled = <T>(list: readonly T[] | undefined) => (list?.length ? list : undefined)

export function reviewSpec(attributes: AuthorizationAttributes): ReviewSpec {
  const { user, verb, path } = attributes
  const about = attributes.isResourceRequest
    ? { resourceAttributes: resourceAttributes(attributes) }
    : { nonResourceAttributes: { path: given(path), verb: given(verb) } }
  return { ...about, user: given(user.name), groups: filled(user.groups), extra: extraOf(user.extra), uid: given(user.uid) }
}

function resourceAttributes(attributes: AuthorizationAttributes) {
  const { namespace, verb, group, version, resource, subresource, name } = attributes
  return {
    namespace: given(namespace),
    verb: given(verb),
    group: given(group),
    version: given(version),
    resource: given(resource),
    subresource: given(subresource),
    name: given(name),
    ...selectorsOf(attributes)
  }
}

/** Returns the selectors of a request in the form of the review. */
export function selectorsOf({ fieldSelector, labelSelector }: AuthorizationAttributes): Readonly<Record<string, Selector>> {
  const fields = fieldSelector?.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value]
  }))
  const labels = labelSelector?.map(({ key, operator, values }) => ({
    key,
    operator,
    ...(values.length > 0 ? { values } : {})
  }))
  return {
    ...(fields?.length ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels?.length ? { labelSelector: { requirements: labels } } : {})
  }
}

function extraOf(extra: ReviewSpec['extra']): ReviewSpec['extra'] {
  if (!extra) return undefined
  const keys = sortedKeys(extra)
  return keys.length === 0 ? undefined : Object.fromEntries(keys.map(key => [key, extra[key]!]))
}

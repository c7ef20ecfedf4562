import type { Question } from '../../api/access-question.js'
import { findResource } from '../../api/discovery.js'
import { ApiError } from '../../api/error.js'
import { request } from '../../api/request.js'
import { self } from '../../api/session.js'
import type { KubeObject } from '../../api/types.js'
import { smallestRole } from './smallest-role.js'

export interface Named {
  readonly kind: string
  readonly name: string
  readonly namespace?: string
}
export interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}
interface Grant {
  readonly subject: Named
  readonly binding: Named
  readonly role: Named
  readonly rule: Rule
  readonly aggregatedFrom?: readonly string[]
}

/** What the server tells about a decision (docs/explain.md). A server that does not explain tells the first two. */
export interface Explained {
  readonly allowed: boolean
  readonly reason: string
  readonly decidedBy?: string
  readonly authorizers?: readonly {
    readonly type: string
    readonly name: string
    readonly opinion: string
    readonly reason: string
  }[]
  readonly grants?: readonly Grant[]
  readonly remedy?: { readonly objects: readonly KubeObject[]; readonly yaml: string }
  readonly noRemedy?: string
  readonly holders?: readonly { readonly role: Named; readonly rule: Rule; readonly aggregatedFrom?: readonly string[] }[]
  readonly hint?: string
  readonly unreadable?: readonly string[]
}

/** Asks why somebody may or may not do something: the server itself where it explains, else by a SubjectAccessReview. */
export async function explain(asked: Question, signal: AbortSignal): Promise<Explained> {
  const question = ofSelf(asked)
  const { user, groups, verb, resource, namespace, name, path } = question
  const body = Object.fromEntries(
    Object.entries({ user, verb, resource, namespace, name, path, groups }).filter(([, value]) => value.length > 0)
  )
  try {
    return await request<Explained>('/binnacle/v1/explain/access', { method: 'POST', body, signal })
  } catch (error) {
    if (!(error instanceof ApiError) || ![403, 404].includes(error.code)) throw error
  }
  return review(question, signal)
}

/** A question about oneself names no user: everybody may ask it. */
const ofSelf = (question: Question): Question =>
  question.user === self.value?.username && question.groups.length === 0 ? { ...question, user: '' } : question

async function review(
  { user, groups, verb, resource, namespace, name, path }: Question,
  signal: AbortSignal
): Promise<Explained> {
  const [plural = '', subresource] = resource.split('/')
  const dot = plural.indexOf('.')
  const attributes = {
    verb,
    namespace,
    name,
    subresource,
    group: dot < 0 ? '' : plural.slice(dot + 1),
    resource: dot < 0 ? plural : plural.slice(0, dot)
  }
  const spec = path ? { nonResourceAttributes: { verb, path } } : { resourceAttributes: attributes }
  const kind = user ? 'SubjectAccessReview' : 'SelfSubjectAccessReview'
  const { status } = await request<{ status: { allowed: boolean; reason?: string } }>(
    `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`,
    {
      method: 'POST',
      body: { apiVersion: 'authorization.k8s.io/v1', kind, spec: user ? { ...spec, user, groups } : spec },
      signal
    }
  )
  const remedy = status.allowed || !user ? undefined : smallestRole({ user, path, ...attributes })
  return { allowed: status.allowed, reason: status.reason ?? '', ...(remedy ? { remedy } : {}) }
}

/** The resource of a role or binding, for its address. */
export const rbacResource = (kind: string) => findResource('rbac.authorization.k8s.io', `${kind.toLowerCase()}s`)

export interface MayDo {
  readonly resourceRules: readonly Rule[]
  readonly nonResourceRules: readonly Rule[]
  readonly incomplete: boolean
  readonly evaluationError?: string
}

/** What somebody may do in a namespace, as they would be told themselves (SelfSubjectRulesReview, impersonated). */
export async function rulesOf(question: Question, signal: AbortSignal): Promise<MayDo> {
  const { user, groups, namespace } = ofSelf(question)
  const { status } = await request<{ status: MayDo }>('/apis/authorization.k8s.io/v1/selfsubjectrulesreviews', {
    method: 'POST',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: namespace || 'default' } },
    signal,
    ...(user ? { as: { user, groups } } : {})
  })
  return status
}

const includes = (list: readonly string[] | undefined, ...values: string[]) =>
  list?.includes('*') || values.some(value => list?.includes(value)) || false

/** Whether rules allow a verb on a resource: `some` for objects of certain names only. */
export function mayDo(rules: readonly Rule[], verb: string, group: string, resource: string): 'yes' | 'some' | 'no' {
  let found: 'some' | 'no' = 'no'
  for (const rule of rules) {
    if (!includes(rule.verbs, verb) || !includes(rule.apiGroups, group) || !includes(rule.resources, resource)) continue
    if (!rule.resourceNames?.length) return 'yes'
    found = 'some'
  }
  return found
}

/** Names of users, groups and service accounts that bindings have. */
export async function knownUsers(signal: AbortSignal): Promise<string[]> {
  const lists = await Promise.allSettled(
    ['clusterrolebindings', 'rolebindings'].map(name =>
      request<{ items: { subjects?: Named[] }[] }>(`/apis/rbac.authorization.k8s.io/v1/${name}`, {
        query: { limit: 500 },
        signal
      })
    )
  )
  const users = lists
    .flatMap(list => (list.status === 'fulfilled' ? list.value.items : []))
    .flatMap(({ subjects }) => subjects ?? [])
    .flatMap(({ kind, name, namespace }) =>
      kind === 'User' ? [name] : kind === 'ServiceAccount' ? [`system:serviceaccount:${namespace}:${name}`] : []
    )
  return [...new Set(users)].sort()
}

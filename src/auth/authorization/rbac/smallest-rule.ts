/** Makes the role and the binding that allow exactly one request, and nothing else. */
import { createHash } from 'node:crypto'
import type { PolicyRule, Subject } from '../../../apimachinery/api/generated/rbac-v1.js'
import type { AuthorizationAttributes } from '../../../apimachinery/request/authorization.js'
import { serviceAccountOf } from '../../../apimachinery/request/usernames.js'
import { rbacGroup } from './group.js'

const apiVersion = `${rbacGroup}/v1`
/** Verbs whose requests name no object when they are authorized. */
const nameless: ReadonlySet<string> = new Set(['create', 'deletecollection'])

export interface SmallestGrant {
  readonly rule: PolicyRule
  /** The role and its binding, ready to be applied. */
  readonly objects: readonly [role: object, binding: object]
}

export function smallestGrant(question: AuthorizationAttributes): SmallestGrant {
  const rule = smallestRule(question)
  const { namespace, isResourceRequest, user } = question
  const isLocal = isResourceRequest && namespace !== ''
  const kind = isLocal ? 'Role' : 'ClusterRole'
  const name = nameOf(question)
  const place = isLocal ? { namespace } : {}
  return {
    rule,
    objects: [
      { apiVersion, kind, metadata: { name, ...place }, rules: [rule] },
      {
        apiVersion,
        kind: `${kind}Binding`,
        metadata: { name: withSubject(name, user.name), ...place },
        roleRef: { apiGroup: rbacGroup, kind, name },
        subjects: [subjectOf(user.name)]
      }
    ]
  }
}

function smallestRule({
  isResourceRequest,
  verb,
  group,
  resource,
  subresource,
  name,
  path
}: AuthorizationAttributes): PolicyRule {
  if (!isResourceRequest) return { verbs: [verb], nonResourceURLs: [path] }
  const names = name === '' || nameless.has(verb) ? {} : { resourceNames: [name] }
  return {
    verbs: [verb],
    apiGroups: [group],
    resources: [subresource === '' ? resource : `${resource}/${subresource}`],
    ...names
  }
}

function subjectOf(user: string): Subject {
  const account = serviceAccountOf(user)
  if (account) return { kind: 'ServiceAccount', namespace: account.namespace, name: account.name }
  return { apiGroup: rbacGroup, kind: 'User', name: user }
}

/** The characters that a name may have for a role may stand in a path: what has others is told apart by a hash. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
const maxPart = 40
const part = (text: string): string => {
  const short = plain(text)
    .slice(0, maxPart)
    .replace(/[-.]+$/, '')
  return short === text ? short : `${short === '' ? 'x' : short}-${createHash('sha256').update(text).digest('hex').slice(0, 6)}`
}

const nameOf = ({ isResourceRequest, verb, resource, subresource, name, path }: AuthorizationAttributes): string =>
  [verb, ...(isResourceRequest ? [resource, subresource, nameless.has(verb) ? '' : name] : [path.replace(/^\//, '')])]
    .filter(text => text !== '')
    .map(part)
    .join('-')

const withSubject = (name: string, user: string): string => `${name}-${part(user.replace(/^system:serviceaccount:/, ''))}`

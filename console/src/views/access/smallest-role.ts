import type { KubeObject } from '../../api/types.js'
import { yamlOf } from '../../edit/yaml-text.js'

export interface Wanted {
  readonly user: string
  readonly verb: string
  readonly namespace: string
  readonly name: string
  /** Instead of a resource. */
  readonly path: string
  readonly group: string
  readonly resource: string
  readonly subresource: string | undefined
}

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/** A role with one rule for exactly this request, and its binding: for servers that do not propose one themselves. */
export function smallestRole({ user, verb, namespace, name, path, ...about }: Wanted): { objects: KubeObject[]; yaml: string } {
  const resources = about.subresource ? `${about.resource}/${about.subresource}` : about.resource
  // no authorizer sees the name of what is created
  const names = name && verb !== 'create' ? { resourceNames: [name] } : {}
  const rule = path
    ? { verbs: [verb], nonResourceURLs: [path] }
    : { verbs: [verb], apiGroups: [about.group], resources: [resources], ...names }
  const place = namespace && !path ? { namespace } : {}
  const kind = namespace && !path ? 'Role' : 'ClusterRole'
  const role = `${verb}-${path || resources}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user)
  const subject = account
    ? { kind: 'ServiceAccount', namespace: account[1], name: account[2] }
    : { kind: 'User', apiGroup: group, name: user }
  const objects = [
    { apiVersion, kind, metadata: { name: role, ...place }, rules: [rule] },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata: { name: `${role}-${user.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`, ...place },
      roleRef: { apiGroup: group, kind, name: role },
      subjects: [subject]
    }
  ]
  return { objects, yaml: objects.map(yamlOf).join('---\n') }
}

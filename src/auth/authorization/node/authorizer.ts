/** The mode Node (https://kubernetes.io/docs/reference/access-authn-authz/node/): a kubelet may reach the objects that its own Pods need. */

import type { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import type { AuthorizationAttributes, Authorizer, Decision, UserRules } from '../../../apimachinery/request/authorization.js'
import { nodeIdentity } from '../../../apimachinery/request/usernames.js'
import { goQuote } from '../../../util/go-format.js'
import { componentRoles } from '../rbac/bootstrap/component-roles.js'
import { ruleAllows } from '../rbac/rules.js'
import type { NodeRelations } from './relations.js'

const allowed: Decision = { allowed: true, reason: '' }
const no = (reason: string): Decision => ({ allowed: false, reason })

const leaseNamespace = 'kube-node-lease'
const onlyItself = ['get', 'create', 'update', 'patch', 'delete']

type Relation = (node: string, namespace: string, name: string) => boolean
/** Decides about requests for one resource; undefined leaves the decision to the next authorizers. */
type Rule = (node: string, attributes: AuthorizationAttributes) => Decision | undefined

const unlisted: UserRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  problems: ['node authorizer does not support user rule resolution']
}
const none: UserRules = { resourceRules: [], nonResourceRules: [], incomplete: false, problems: [] }

export function nodeAuthorizer(relations: NodeRelations, features: FeatureGates): Authorizer {
  const rules = rulesFor(relations, features)
  const nodeRules = componentRoles(features)['system:node']!
  return {
    authorize(attributes) {
      const node = nodeIdentity(attributes.user)
      if (node === undefined) return undefined
      if (node === '') return no(`unknown node for user ${goQuote(attributes.user.name)}`)
      const { isResourceRequest, group, resource } = attributes
      const rule = isResourceRequest ? rules.get(group === '' ? resource : `${resource}.${group}`) : undefined
      if (rule) return rule(node, attributes)
      return nodeRules.some(rule => ruleAllows(rule, attributes)) ? allowed : undefined
    },
    rulesFor: user => (nodeIdentity(user) === undefined ? none : unlisted)
  }
}

function rulesFor(relations: NodeRelations, features: FeatureGates): ReadonlyMap<string, Rule> {
  const related =
    (relation: keyof NodeRelations): Relation =>
    (node, namespace, name) =>
      relations[relation](node, namespace, name)
  const [claim, claimStatus] = [get(related('claim')), updateStatus(related('claim'))]
  const readsAccounts =
    features.enabled('KubeletServiceAccountTokenForCredentialProviders') || features.enabled('PodCertificateRequest')
  const account = readsAccounts ? read(related('serviceAccount')) : () => no('not allowed to get service accounts')
  const token = createToken(related('serviceAccount'))
  return new Map<string, Rule>([
    ['secrets', read(related('secret'))],
    ['configmaps', read(related('configMap'))],
    ['persistentvolumeclaims', (node, a) => (a.subresource === 'status' ? claimStatus : claim)(node, a)],
    ['persistentvolumes', get(related('volume'))],
    ['resourceclaims.resource.k8s.io', get(related('resourceClaim'))],
    ['volumeattachments.storage.k8s.io', get(related('volumeAttachment'))],
    ['serviceaccounts', (node, a) => (a.verb === 'get' && a.subresource === '' ? account : token)(node, a)],
    ['leases.coordination.k8s.io', lease],
    ['csinodes.storage.k8s.io', csiNode(features)],
    ['resourceslices.resource.k8s.io', resourceSlice(related('resourceSlice'))],
    ['nodes', ownNode],
    ['pods', pod(related('pod'))],
    [
      'podcertificaterequests.certificates.k8s.io',
      features.enabled('PodCertificateRequest') ? podCertificateRequest(related('podCertificateRequest')) : () => undefined
    ]
  ])
}

function check(relation: Relation, node: string, { namespace, name }: AuthorizationAttributes): Decision {
  if (name === '') return no('No Object name found')
  return relation(node, namespace, name) ? allowed : unrelated(node)
}

const unrelated = (node: string) => no(`no relationship found between node '${node}' and this object`)

const read =
  (relation: Relation): Rule =>
  (node, a) => {
    if (a.verb !== 'get' && a.verb !== 'list' && a.verb !== 'watch') return no('can only read resources of this type')
    if (a.subresource !== '') return no('cannot read subresource')
    if (a.namespace === '') return no('can only read namespaced object of this type')
    return check(relation, node, a)
  }

const get =
  (relation: Relation): Rule =>
  (node, a) => {
    if (a.verb !== 'get') return no('can only get individual resources of this type')
    if (a.subresource !== '') return no('cannot get subresource')
    return check(relation, node, a)
  }

const updateStatus =
  (relation: Relation): Rule =>
  (node, a) =>
    a.verb === 'update' || a.verb === 'patch' ? check(relation, node, a) : no('can only get/update/patch this type')

const createToken =
  (relation: Relation): Rule =>
  (node, a) => {
    if (a.verb !== 'create' || a.name === '') return no('can only create tokens for individual service accounts')
    if (a.subresource !== 'token') return no('can only create token subresource of serviceaccount')
    return check(relation, node, a)
  }

/** Whether the request is for a name other than the node's. A create has no name yet: NodeRestriction checks it in admission. */
const isOther = (node: string, { verb, name }: AuthorizationAttributes) => verb !== 'create' && name !== node

const lease: Rule = (node, a) => {
  if (!onlyItself.includes(a.verb)) return no('can only get, create, update, patch, or delete a node lease')
  if (a.namespace !== leaseNamespace) return no(`can only access leases in the "${leaseNamespace}" system namespace`)
  return isOther(node, a) ? no('can only access node lease with the same name as the requesting node') : allowed
}

const csiNode =
  (features: FeatureGates): Rule =>
  (node, a) => {
    switch (a.subresource) {
      case '':
        if (!onlyItself.includes(a.verb)) return no('can only get, create, update, patch, or delete a CSINode')
        break
      case 'status':
        if (!features.enabled('CSIVolumeHealth')) return no('CSINode status access requires CSIVolumeHealth feature')
        if (!['get', 'update', 'patch'].includes(a.verb)) return no('can only get, update, or patch CSINode status')
        break
      default:
        return no('cannot authorize CSINode subresources')
    }
    return isOther(node, a) ? no('can only access CSINode with the same name as the requesting node') : allowed
  }

const selectsNode = (node: string, field: string, { fieldSelector }: AuthorizationAttributes): boolean =>
  fieldSelector?.some(r => r.field === field && r.operator === '=' && r.value === node) ?? false

const resourceSlice =
  (relation: Relation): Rule =>
  (node, a) => {
    if (a.subresource !== '') return no('cannot authorize ResourceSlice subresources')
    switch (a.verb) {
      case 'create':
        return allowed
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return check(relation, node, a)
      case 'watch':
      case 'list':
      case 'deletecollection':
        return selectsNode(node, 'spec.nodeName', a)
          ? allowed
          : no('can only list/watch/deletecollection resourceslices with nodeName field selector')
      default:
        return no(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection'
        )
    }
  }

const podCertificateRequest =
  (relation: Relation): Rule =>
  (node, a) => {
    if (a.subresource !== '') return no('nodes may not access the status subresource of PodCertificateRequests')
    switch (a.verb) {
      case 'create':
        return allowed
      case 'get':
        return check(relation, node, a)
      case 'list':
      case 'watch':
        return selectsNode(node, 'spec.nodeName', a)
          ? allowed
          : no('can only list/watch podcertificaterequests with nodeName field selector')
      default:
        return no(`nodes may not ${a.verb} podcertificaterequests`)
    }
  }

const ownNode: Rule = (node, { verb, subresource, name }) => {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : undefined
  if (subresource !== '') return undefined
  switch (verb) {
    case 'create':
    case 'update':
    case 'patch':
      return allowed
    case 'get':
    case 'list':
    case 'watch':
      if (name === node) return allowed
      return no(`node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`)
    default:
      return undefined
  }
}

const podVerbs: Readonly<Record<string, readonly string[]>> = {
  '': ['create', 'delete'],
  status: ['update', 'patch'],
  eviction: ['create']
}

const pod =
  (relation: Relation): Rule =>
  (node, a) => {
    if (a.subresource === '' && (a.verb === 'get' || a.verb === 'list' || a.verb === 'watch')) {
      if (a.verb === 'get') return check(relation, node, a)
      if (selectsNode(node, 'spec.nodeName', a)) return allowed
      return a.name === '' ? no('can only list/watch pods with spec.nodeName field selector') : check(relation, node, a)
    }
    return Object.hasOwn(podVerbs, a.subresource) && podVerbs[a.subresource]!.includes(a.verb) ? allowed : undefined
  }

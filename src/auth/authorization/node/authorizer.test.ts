/** Who may what in the mode Node, with relations that hold for the objects named "mine". */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { type AuthorizationAttributes, aboutResource, type Decision } from '../../../apimachinery/request/authorization.js'
import { readableFieldSelector } from '../../../apimachinery/selectors/fields.js'
import { nodeAuthorizer } from './authorizer.js'
import type { NodeRelations } from './relations.js'

const kubelet = (node: string) => ({ name: `system:node:${node}`, groups: ['system:nodes'] })
const n1 = kubelet('n1')

/** What was asked of the relations: "secret n1 ns/mine". */
const asked: string[] = []
const relation = (what: string) => (node: string, namespace: string, name: string) => {
  asked.push(`${what} ${node} ${namespace}/${name}`)
  return name === 'mine'
}
const names = [
  'pod',
  'resourceSlice',
  'volumeAttachment',
  'configMap',
  'claim',
  'resourceClaim',
  'serviceAccount',
  'secret',
  'volume',
  'podCertificateRequest'
]
const relations = Object.fromEntries(names.map(name => [name, relation(name)])) as unknown as NodeRelations
const authorizer = nodeAuthorizer(relations, new FeatureGates())

/** A question as "resource.group/subresource namespace/name?selector". */
function question(verb: string, what: string): AuthorizationAttributes {
  const [, resource, group = '', subresource = '', namespace = '', name = '', selector] =
    /^([^./ ]*)(?:\.([^/ ]*))?(?:\/([^ ]*))?(?: ([^/?]*)\/([^?]*)(?:\?(.*))?)?$/.exec(what)!
  const fieldSelector = selector === undefined ? undefined : readableFieldSelector(selector)
  return aboutResource({ user: n1, verb, group, resource: resource!, subresource, namespace, name, fieldSelector })
}

const decide = (verb: string, what: string) => authorizer.authorize(question(verb, what)) as Decision | undefined

const yes = 'yes'
/** Left to other authorizers. */
const silent = undefined
const unrelated = "no relationship found between node 'n1' and this object"

type Row = readonly [verbs: string, what: string, answer: string | undefined]

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const [verbs, what, answer] of rows)
      for (const verb of verbs.split(' '))
        it(`${verb} ${what}: ${answer ?? 'no opinion'}`, () => {
          const decision = decide(verb, what)
          assert.equal(decision && (decision.allowed ? yes : decision.reason), answer)
          assert.ok(!decision?.denied)
        })
  })
}

const onlyRead = 'can only read resources of this type'
for (const resource of ['secrets', 'configmaps'])
  table(resource, [
    ['get list watch', `${resource} ns/mine`, yes],
    ['get list watch', `${resource} ns/other`, unrelated],
    ['get list watch', `${resource} ns/`, 'No Object name found'],
    ['get list watch', `${resource} /mine`, 'can only read namespaced object of this type'],
    ['get', `${resource}/x ns/mine`, 'cannot read subresource'],
    ['create update patch delete deletecollection', `${resource} ns/mine`, onlyRead]
  ])

const onlyGet = 'can only get individual resources of this type'
for (const [resource, place] of [
  ['persistentvolumeclaims', 'ns'],
  ['persistentvolumes', ''],
  ['resourceclaims.resource.k8s.io', 'ns'],
  ['volumeattachments.storage.k8s.io', '']
])
  table(resource!, [
    ['get', `${resource} ${place}/mine`, yes],
    ['get', `${resource} ${place}/other`, unrelated],
    ['get', `${resource} ${place}/`, 'No Object name found'],
    ['get', `${resource}/x ${place}/mine`, 'cannot get subresource'],
    ['list watch create update patch delete', `${resource} ${place}/mine`, onlyGet]
  ])

table('the status of claims', [
  ['update patch', 'persistentvolumeclaims/status ns/mine', yes],
  ['update patch', 'persistentvolumeclaims/status ns/other', unrelated],
  ['get create', 'persistentvolumeclaims/status ns/mine', 'can only get/update/patch this type']
])

const individual = 'can only create tokens for individual service accounts'
table('service accounts', [
  ['get', 'serviceaccounts ns/mine', yes],
  ['get', 'serviceaccounts ns/other', unrelated],
  ['get', 'serviceaccounts /mine', 'can only read namespaced object of this type'],
  ['list watch update delete', 'serviceaccounts ns/mine', individual],
  ['get', 'serviceaccounts/token ns/mine', individual],
  ['create', 'serviceaccounts/token ns/mine', yes],
  ['create', 'serviceaccounts/token ns/other', unrelated],
  ['create', 'serviceaccounts/token ns/', individual],
  ['create', 'serviceaccounts ns/mine', 'can only create token subresource of serviceaccount']
])

const otherLease = 'can only access node lease with the same name as the requesting node'
table('leases', [
  ['get update patch delete create', 'leases.coordination.k8s.io kube-node-lease/n1', yes],
  ['create', 'leases.coordination.k8s.io kube-node-lease/', yes],
  ['get update patch delete', 'leases.coordination.k8s.io kube-node-lease/n2', otherLease],
  ['get', 'leases.coordination.k8s.io ns/n1', 'can only access leases in the "kube-node-lease" system namespace'],
  [
    'list watch deletecollection',
    'leases.coordination.k8s.io kube-node-lease/n1',
    'can only get, create, update, patch, or delete a node lease'
  ]
])

table('CSINodes', [
  ['get update patch delete create', 'csinodes.storage.k8s.io /n1', yes],
  ['create', 'csinodes.storage.k8s.io /', yes],
  ['get update patch delete', 'csinodes.storage.k8s.io /n2', 'can only access CSINode with the same name as the requesting node'],
  ['get', 'csinodes.storage.k8s.io/x /n1', 'cannot authorize CSINode subresources'],
  ['get update', 'csinodes.storage.k8s.io/status /n1', 'CSINode status access requires CSIVolumeHealth feature'],
  ['list watch', 'csinodes.storage.k8s.io /n1', 'can only get, create, update, patch, or delete a CSINode']
])

const bySelector = 'can only list/watch/deletecollection resourceslices with nodeName field selector'
table('ResourceSlices', [
  ['create', 'resourceslices.resource.k8s.io /', yes],
  ['get update patch delete', 'resourceslices.resource.k8s.io /mine', yes],
  ['get update patch delete', 'resourceslices.resource.k8s.io /other', unrelated],
  ['list watch deletecollection', 'resourceslices.resource.k8s.io /?spec.nodeName=n1', yes],
  ['list watch deletecollection', 'resourceslices.resource.k8s.io /?spec.nodeName=n2', bySelector],
  ['list', 'resourceslices.resource.k8s.io /?spec.driver=n1', bySelector],
  ['list', 'resourceslices.resource.k8s.io /mine', bySelector],
  ['get', 'resourceslices.resource.k8s.io/x /mine', 'cannot authorize ResourceSlice subresources'],
  [
    'escalate',
    'resourceslices.resource.k8s.io /mine',
    'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection'
  ]
])

table('nodes', [
  ['create update patch', 'nodes /', yes],
  // NodeRestriction refuses this in admission
  ['update patch', 'nodes /n2', yes],
  ['get list watch', 'nodes /n1', yes],
  ['get list watch', 'nodes /n2', "node 'n1' cannot read 'n2', only its own Node object"],
  ['get list watch', 'nodes /', "node 'n1' cannot read all nodes, only its own Node object"],
  ['update patch', 'nodes/status /n1', yes],
  ['get delete', 'nodes/status /n1', silent],
  ['get create update', 'nodes/proxy /n1', silent],
  ['delete deletecollection', 'nodes /n1', silent]
])

const ofNode = 'can only list/watch pods with spec.nodeName field selector'
table('pods', [
  ['get', 'pods ns/mine', yes],
  ['get', 'pods ns/other', unrelated],
  ['get', 'pods ns/other?spec.nodeName=n1', unrelated],
  ['list watch', 'pods /?spec.nodeName=n1', yes],
  ['list watch', 'pods /?spec.nodeName=n2', ofNode],
  ['list watch', 'pods /?spec.nodeName!=n1', ofNode],
  ['list watch', 'pods ns/mine', yes],
  ['list watch', 'pods ns/other', unrelated],
  ['create delete', 'pods ns/any', yes],
  ['update patch deletecollection', 'pods ns/mine', silent],
  ['update patch', 'pods/status ns/any', yes],
  ['get create delete', 'pods/status ns/mine', silent],
  ['create', 'pods/eviction ns/any', yes],
  ['update patch get delete', 'pods/eviction ns/mine', silent],
  ['get list watch create', 'pods/log ns/mine', silent],
  ['get', 'pods/constructor ns/mine', silent]
])

table('what every node may', [
  ['get list watch', 'services /', yes],
  ['create', 'services /', silent],
  ['create', 'subjectaccessreviews.authorization.k8s.io /', yes],
  ['create', 'certificatesigningrequests.certificates.k8s.io /', yes],
  // another group's resource of the same name
  ['get', 'secrets.example.com ns/mine', silent]
])

it('the status of a CSINode, with its feature gate', () => {
  const gated = nodeAuthorizer(relations, new FeatureGates({ CSIVolumeHealth: true }))
  const decide = (verb: string, name: string) => gated.authorize(question(verb, `csinodes.storage.k8s.io/status /${name}`))
  for (const verb of ['get', 'update', 'patch']) assert.deepEqual(decide(verb, 'n1'), { allowed: true, reason: '' })
  const refused = { allowed: false, reason: 'can only get, update, or patch CSINode status' }
  for (const verb of ['create', 'delete', 'watch']) assert.deepEqual(decide(verb, 'n1'), refused)
  const other = { allowed: false, reason: 'can only access CSINode with the same name as the requesting node' }
  assert.deepEqual(decide('update', 'n2'), other)
})

it('PodCertificateRequests are left to others without their feature gate', () => {
  const gated = nodeAuthorizer(relations, new FeatureGates({ PodCertificateRequest: false }))
  const asked = question('create', 'podcertificaterequests.certificates.k8s.io ns/mine')
  assert.equal(gated.authorize(asked), undefined)
})

describe('PodCertificateRequests', () => {
  const gated = nodeAuthorizer(relations, new FeatureGates())
  const bySelector = 'can only list/watch podcertificaterequests with nodeName field selector'
  const what = 'podcertificaterequests.certificates.k8s.io'
  const may = (verb: string) => `nodes may not ${verb} podcertificaterequests`
  for (const [verb, place, answer] of [
    ['create', 'ns/', yes],
    ['get', 'ns/mine', yes],
    ['get', 'ns/other', unrelated],
    ['list', '/?spec.nodeName=n1', yes],
    ['watch', '/?spec.nodeName=n1', yes],
    ['list', '/?spec.nodeName=n2', bySelector],
    ['list', '/?spec.nodeName!=n1', bySelector],
    ['list', '/?spec.podName=n1', bySelector],
    ['watch', 'ns/mine', bySelector],
    ['update', 'ns/mine', may('update')],
    ['delete', 'ns/mine', may('delete')]
  ] as const)
    it(`${verb} ${place}: ${answer}`, () => {
      const { allowed, reason } = gated.authorize(question(verb, `${what} ${place}`)) as Decision
      assert.equal(allowed ? yes : reason, answer)
    })

  it('are for others to sign', () => {
    for (const verb of ['get', 'update', 'create']) {
      const { allowed, reason } = gated.authorize(question(verb, `${what}/status ns/mine`)) as Decision
      assert.deepEqual([allowed, reason], [false, 'nodes may not access the status subresource of PodCertificateRequests'])
    }
  })
})

describe('the mode Node', () => {
  it('asks for the relation between the node and the object', () => {
    asked.length = 0
    for (const what of [
      'secrets ns/a',
      'configmaps ns/a',
      'persistentvolumeclaims ns/a',
      'persistentvolumes /a',
      'resourceclaims.resource.k8s.io ns/a',
      'volumeattachments.storage.k8s.io /a',
      'serviceaccounts ns/a',
      'resourceslices.resource.k8s.io /a',
      'pods ns/a'
    ])
      decide('get', what)
    decide('update', 'persistentvolumeclaims/status ns/b')
    decide('create', 'serviceaccounts/token ns/b')
    assert.deepEqual(asked, [
      'secret n1 ns/a',
      'configMap n1 ns/a',
      'claim n1 ns/a',
      'volume n1 /a',
      'resourceClaim n1 ns/a',
      'volumeAttachment n1 /a',
      'serviceAccount n1 ns/a',
      'resourceSlice n1 /a',
      'pod n1 ns/a',
      'claim n1 ns/b',
      'serviceAccount n1 ns/b'
    ])
  })

  it('decides about kubelets only', () => {
    const as = (name: string, ...groups: string[]) => {
      const decision = authorizer.authorize({ ...question('get', 'secrets ns/mine'), user: { name, groups } })
      return (decision as Decision | undefined)?.reason
    }
    assert.equal(as('system:node:n1', 'system:nodes'), '')
    assert.equal(as('system:node:n1'), undefined)
    assert.equal(as('alice', 'system:nodes'), undefined)
    assert.equal(as('system:node:', 'system:nodes'), 'unknown node for user "system:node:"')
  })

  it('says nothing about paths outside of the API', () => {
    const about = (path: string) => ({ ...question('get', 'secrets ns/mine'), isResourceRequest: false, path })
    assert.equal(authorizer.authorize(about('/metrics')), undefined)
  })

  it('does not list the rules of a kubelet, and has none for others', () => {
    const problems = ['node authorizer does not support user rule resolution']
    const none = { resourceRules: [], nonResourceRules: [] }
    assert.deepEqual(authorizer.rulesFor!(n1, 'ns'), { ...none, incomplete: true, problems })
    assert.deepEqual(authorizer.rulesFor!({ name: 'alice', groups: [] }, 'ns'), { ...none, incomplete: false, problems: [] })
  })
})

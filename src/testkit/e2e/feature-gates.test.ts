/** What each of these feature gates changes: asked of a server in which they are as by default, and of one in which they are the other way round. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { HonouredGate } from '../../apimachinery/features/honoured-gates.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'
import { send } from '../send.js'

/** Both settings of a gate, or of several, with what clients see of it. */
interface Case {
  readonly gates: readonly HonouredGate[]
  readonly what: string
  readonly see: (server: Server) => Promise<unknown>
  readonly on: unknown
  readonly off: unknown
}

type Server = ReturnType<typeof createServer>

/** Gates that are off by default. */
const offByDefault: readonly string[] = [
  'AllowInsecureKubeletCertificateSigningRequests',
  'InPlacePodVerticalScalingMemoryBackedVolumes'
]

const alice = { name: 'alice', groups: ['system:authenticated'] }
const node = { name: 'system:node:n', groups: ['system:nodes', 'system:authenticated'] }
const rbac = '/apis/rbac.authorization.k8s.io/v1'
const inDefault = (kind: string) => `/api/v1/namespaces/default/${kind}`
const pods = inDefault('pods')
const tokens = `${inDefault('serviceaccounts')}/default/token`
const cidrs = '/apis/networking.k8s.io/v1/servicecidrs'
const jobs = '/apis/batch/v1/namespaces/default/jobs'
const dry = '?dryRun=All'

type Answer = Awaited<ReturnType<typeof send>>

/** The status of an answer, with what is wrong. */
const outcome = ({ status, body }: Answer): string => (status < 300 ? 'ok' : `${status} ${body.message ?? ''}`.trimEnd())

const container = (more: object = {}) => ({ name: 'c', image: 'i', ...more })
const pod = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: { containers: [container()], ...spec }
})
const tryPod = async (server: Server, spec: object, metadata: object = {}) =>
  send(server, 'POST', pods + dry, pod('tried', spec, metadata))

const spread = (labelSelector: object) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 't', whenUnsatisfiable: 'DoNotSchedule', labelSelector, matchLabelKeys: ['k'] }
  ]
})

async function allow(server: Server, name: string, rules: object[]): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io'
  await send(server, 'POST', `${rbac}/clusterroles`, { metadata: { name }, rules })
  await send(server, 'POST', `${rbac}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { apiGroup, kind: 'ClusterRole', name },
    subjects: [{ apiGroup, kind: 'User', name: 'alice' }]
  })
}

const ruleOf = async (server: Server, role: string, resource: string): Promise<boolean> => {
  const { body } = await send(server, 'GET', `${rbac}/clusterroles/${role}`)
  return body.rules.some(({ resources }: { resources?: string[] }) => resources?.includes(resource))
}

/** A Job that is suspended, and has run before or not. */
async function makeJob(server: Server, name: string, hasRun: boolean): Promise<void> {
  const template = { spec: { restartPolicy: 'Never', containers: [container()] } }
  const { body } = await send(server, 'POST', jobs, { metadata: { name }, spec: { suspend: true, template } })
  if (!hasRun) return
  body.status = { conditions: [{ type: 'Suspended', status: 'True' }], startTime: '2026-01-01T00:00:00Z' }
  assert.equal((await send(server, 'PUT', `${jobs}/${name}/status`, body)).status, 200)
}

async function patchJobs(server: Server, spec: object): Promise<string[]> {
  const found: string[] = []
  for (const name of ['fresh', 'paused']) {
    const type = 'application/strategic-merge-patch+json'
    const answer = await send(server, 'PATCH', `${jobs}/${name}${dry}`, { spec: { template: { spec } } }, { type })
    found.push(answer.status < 300 ? 'ok' : answer.body.details.causes[0].field)
  }
  return found
}

const enumOf = async (server: Server) => {
  const { body } = await send(server, 'GET', '/openapi/v3/api/v1')
  return body.components.schemas['io.k8s.api.core.v1.Container'].properties.imagePullPolicy.enum
}

const condition = { type: 'Mine', status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' }

const cases: readonly Case[] = [
  {
    gates: ['MutatingAdmissionPolicy'],
    what: 'policies mutate',
    see: async server => (await send(server, 'POST', inDefault('configmaps') + dry, { metadata: { name: 'x' } })).body.data,
    on: { a: 'b' },
    off: undefined
  },
  {
    gates: ['ConstrainedImpersonation'],
    what: 'a permission for a kind of request allows impersonation',
    async see(server) {
      const as = (headers: Record<string, string>) =>
        send(server, 'POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}, { user: alice, headers })
      const seen = [await as({ 'impersonate-user': 'bob' }), await as({ 'impersonate-user': 'carl', 'impersonate-uid': '1' })]
      return [...seen, await as({ 'impersonate-group': 'g', 'impersonate-extra-a': 'b' })].map(outcome)
    },
    on: [
      'ok',
      '403 users.authentication.k8s.io "carl" is forbidden: User "alice" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io" at the cluster scope',
      '400 requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string{"a":[]string{"b"}}} without impersonating a user name'
    ],
    off: [
      '403 users "bob" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
      '403 users "carl" is forbidden: User "alice" cannot impersonate resource "users" in API group "" at the cluster scope',
      '400 requested [{Group  g    } {UserExtra  b  authentication.k8s.io/v1  a}] without impersonating a user'
    ]
  },
  {
    gates: ['DeclarativeValidationBeta'],
    what: 'declared rules of the stage beta count instead of those by hand',
    async see(server) {
      const spec = { type: 'Limited', exempt: {} }
      const url = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations'
      return outcome(await send(server, 'POST', url, { metadata: { name: 'x' }, spec }))
    },
    on: '422 PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io "x" is invalid: [spec.exempt: Forbidden, spec.limited: Required value]',
    off: '422 PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io "x" is invalid: [spec.exempt: Forbidden: must be nil if the type is Limited, spec.limited: Required value: must not be empty when type is Limited]'
  },
  {
    gates: ['OpenAPIEnums'],
    what: 'schemas list the values of enums',
    see: enumOf,
    on: ['Always', 'IfNotPresent', 'Never'],
    off: undefined
  },
  {
    gates: ['StorageVersionHash'],
    what: 'discovery tells the hash of storage versions',
    async see(server) {
      const { body } = await send(server, 'GET', '/api/v1')
      return body.resources.find(({ name }: { name: string }) => name === 'pods').storageVersionHash
    },
    on: 'xPOwRZ+Yhw8=',
    off: undefined
  },
  {
    gates: ['TokenRequestServiceAccountUIDValidation'],
    what: 'a token is for the account with the UID',
    async see(server) {
      const answer = await send(server, 'POST', tokens, { metadata: { uid: 'other' }, spec: { audiences: ['a'] } })
      return [answer.status, answer.body.metadata?.uid, answer.warnings !== undefined]
    },
    on: [409, undefined, false],
    off: [201, 'other', true]
  },
  {
    gates: ['ServiceAccountNodeAudienceRestriction'],
    what: 'a kubelet gets tokens only for audiences that its Pods need',
    async see(server) {
      const { uid } = (await send(server, 'GET', `${pods}/on-n`)).body.metadata
      const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'on-n', uid }
      return outcome(await send(server, 'POST', tokens, { spec: { audiences: ['x'], boundObjectRef } }, { user: node }))
    },
    on: '403 serviceaccounts "default" is forbidden: system:node:n is not authorized to request tokens for audience "x"',
    off: 'ok'
  },
  {
    gates: ['AllowInsecureKubeletCertificateSigningRequests'],
    what: 'a kubelet may request certificates in any name',
    async see(server) {
      const spec = { signerName: 'kubernetes.io/kubelet-serving', usages: ['server auth'], request: btoa('x') }
      const url = '/apis/certificates.k8s.io/v1/certificatesigningrequests'
      return (await send(server, 'POST', url, { metadata: { name: 'x' }, spec }, { user: node })).status
    },
    on: 422,
    off: 403
  },
  {
    gates: ['KubeletServiceAccountTokenForCredentialProviders'],
    what: 'kubelets read service accounts',
    see: server => ruleOf(server, 'system:node', 'serviceaccounts'),
    on: true,
    off: false
  },
  {
    gates: ['DRAResourceClaimGranularStatusAuthorization'],
    what: 'allocating devices needs a permission of its own',
    async see(server) {
      const { body } = await send(server, 'GET', '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c')
      body.status = { allocation: { devices: { results: [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'x' }] } } }
      const url = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status'
      const answer = await send(server, 'PUT', url + dry, body, { user: alice })
      const roles = ['system:kube-scheduler', 'system:controller:resource-claim-controller']
      return [answer.status, ...(await Promise.all(roles.map(role => ruleOf(server, role, 'resourceclaims/binding'))))]
    },
    on: [422, true, true],
    off: [200, false, false]
  },
  {
    gates: ['RestartAllContainersOnContainerExits'],
    what: 'an exit code may restart all containers, and sidecars have rules',
    async see(server) {
      const rule = (action: string) => ({ action, exitCodes: { operator: 'In', values: [1] } })
      const one = container({ restartPolicy: 'Never', restartPolicyRules: [rule('RestartAllContainers')] })
      const sidecar = { name: 's', image: 'i', restartPolicy: 'Always', restartPolicyRules: [rule('Restart')] }
      return [await tryPod(server, { containers: [one] }), await tryPod(server, { initContainers: [sidecar] })].map(outcome)
    },
    on: ['ok', 'ok'],
    off: [
      '422 Pod "tried" is invalid: spec.containers[0].restartPolicyRules[0].action: Unsupported value: "RestartAllContainers": supported values: "Restart"',
      '422 Pod "tried" is invalid: spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always'
    ]
  },
  {
    gates: ['PodDeletionCost'],
    what: 'the cost of a deletion is validated',
    see: async server =>
      (await tryPod(server, {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } })).status,
    on: 422,
    off: 201
  },
  {
    gates: ['MutablePodResourcesForSuspendedJobs'],
    what: 'the resources of a Job change while it is suspended',
    see: server => patchJobs(server, { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] }),
    on: ['ok', 'ok'],
    off: ['spec.template', 'spec.template']
  },
  {
    gates: ['MutableSchedulingDirectivesForSuspendedJobs'],
    what: 'scheduling directives of a Job change also after it has run',
    see: server => patchJobs(server, { nodeSelector: { a: 'b' } }),
    on: ['ok', 'ok'],
    off: ['ok', 'spec.template']
  },
  {
    gates: ['PodTopologyLabelsAdmission'],
    what: 'Pods get the zone of their node, and the labels of their binding',
    async see(server) {
      const { body } = await tryPod(server, { nodeName: 'n' })
      const bound = await send(server, 'GET', `${pods}/bound`)
      return [body.metadata.labels, bound.body.metadata.labels]
    },
    on: [{ 'topology.kubernetes.io/zone': 'z' }, { mine: '1', 'topology.kubernetes.io/zone': 'z' }],
    off: [undefined, undefined]
  },
  {
    gates: ['ClearingNominatedNodeNameAfterBinding'],
    what: 'a Pod that is bound is nominated for no node',
    async see(server) {
      const { body } = await send(server, 'GET', `${pods}/bound`)
      const { nominatedNodeName } = body.status
      body.status.nominatedNodeName = 'another'
      return [nominatedNodeName, (await send(server, 'PUT', `${pods}/bound/status${dry}`, body)).status]
    },
    on: [undefined, 422],
    off: ['n', 200]
  },
  {
    gates: ['ServiceCIDRStatusFieldWiping'],
    what: 'the status of a ServiceCIDR changes through its subresource alone',
    async see(server) {
      const status = { conditions: [condition] }
      const made = await send(server, 'POST', cidrs, { metadata: { name: 'x' }, spec: { cidrs: ['10.77.0.0/24'] }, status })
      const { body } = await send(server, 'PUT', `${cidrs}/x`, {
        ...made.body,
        status: { conditions: [{ ...condition, type: 'Other' }] }
      })
      return [made, { body }].map(({ body }) => body.status.conditions?.[0].type)
    },
    on: [undefined, undefined],
    off: ['Mine', 'Other']
  },
  {
    gates: ['ComponentFlagz', 'ComponentStatusz'],
    what: 'the server tells its flags and its state',
    async see(server) {
      const pages = await Promise.all(['/flagz', '/statusz'].map(url => send(server, 'GET', url)))
      const { body } = await send(server, 'GET', `${rbac}/clusterroles/system:monitoring`)
      return [...pages.map(({ status }) => status !== 404), body.rules[0].nonResourceURLs.includes('/flagz')]
    },
    on: [true, true, true],
    off: [false, false, false]
  },
  {
    gates: ['MatchLabelKeysInPodTopologySpreadSelectorMerge'],
    what: 'the labels that a constraint names are added to its selector',
    async see(server) {
      const labels = { k: '1' }
      const { body } = await tryPod(server, spread({ matchLabels: { a: 'b' } }), { labels })
      const both = await tryPod(server, spread({ matchLabels: { k: 'v' } }), { labels })
      return [
        body.spec.topologySpreadConstraints[0].labelSelector.matchExpressions?.[0].values,
        both.body.details.causes[0].field
      ]
    },
    on: [['1'], 'spec.topologySpreadConstraints[0][0]'],
    off: [undefined, 'spec.topologySpreadConstraints[0].matchLabelKeys[0]']
  },
  {
    gates: ['PodLevelResourcesFixKubeletQOSClass'],
    what: 'empty resources of a Pod do not replace those of its containers',
    async see(server) {
      const all = { cpu: '1', memory: '1' }
      const containers = [container({ resources: { requests: all, limits: all } })]
      return (await tryPod(server, { containers, resources: {} })).body.status.qosClass
    },
    on: 'Guaranteed',
    off: 'BestEffort'
  },
  {
    gates: ['InPlacePodVerticalScalingMemoryBackedVolumes'],
    what: 'a resize changes volumes in memory',
    async see(server) {
      const resize = async (change: (volumes: any[]) => void) => {
        const { body } = await send(server, 'GET', `${pods}/sized`)
        change(body.spec.volumes)
        const answer = await send(server, 'PUT', `${pods}/sized/resize${dry}`, body)
        return answer.status === 200
          ? answer.body.spec.volumes.map((volume: any) => volume.emptyDir?.sizeLimit).join(' ')
          : answer.body.details.causes.map((cause: any) => `${cause.field}: ${cause.message}`).join('; ')
      }
      return [
        await resize(([memory]) => (memory.emptyDir.sizeLimit = '2Mi')),
        await resize(([, disk]) => (disk.emptyDir.sizeLimit = '2Mi')),
        await resize(([memory]) => delete memory.emptyDir.sizeLimit),
        await resize(volumes => volumes.pop()),
        await resize(([memory]) => (memory.name = 'other')),
        await resize(([memory]) => (memory.emptyDir.medium = ''))
      ]
    },
    on: [
      '2Mi 1Mi',
      'spec.volumes[1].emptyDir.sizeLimit: Forbidden: sizeLimit is only mutable for memory-backed emptyDir volumes',
      'spec.volumes[0].emptyDir.sizeLimit: Forbidden: adding or removing sizeLimit on an existing volume is not allowed',
      'spec.volumes: Forbidden: volumes may not be added or removed on resize',
      'spec.volumes[0].name: Forbidden: volumes may not be renamed or reordered on resize',
      'spec.volumes[0]: Forbidden: only sizeLimit of memory-backed emptyDir volumes is mutable on resize'
    ],
    off: Array(6).fill('1Mi 1Mi')
  },
  {
    gates: ['RemoteRequestHeaderUID'],
    what: 'extension API servers are told how to read UIDs',
    async see(server) {
      const url = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication'
      const { body } = await eventually(
        'the trust is published',
        () => send(server, 'GET', url),
        ({ body }) => body.data?.['requestheader-username-headers'] !== undefined
      )
      return body.data['requestheader-uid-headers']
    },
    on: '["X-Remote-Uid"]',
    off: undefined
  }
]

const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolic'

async function prepare(server: Server): Promise<void> {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }
  await send(server, 'POST', `${policies}ies`, {
    metadata: { name: 'p' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{data: {"a": "b"}}' } }]
    }
  })
  await send(server, 'POST', `${policies}ybindings`, { metadata: { name: 'p' }, spec: { policyName: 'p' } })
  const reviews = { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] }
  await allow(server, 'impersonation', [
    { apiGroups: ['authentication.k8s.io'], resources: ['users'], resourceNames: ['bob'], verbs: ['impersonate:user-info'] },
    { ...reviews, verbs: ['impersonate-on:user-info:create'] }
  ])
  const claims = ['resourceclaims', 'resourceclaims/status']
  await allow(server, 'claims', [{ apiGroups: ['resource.k8s.io'], resources: claims, verbs: ['get', 'update'] }])
  await send(server, 'POST', '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims', {
    metadata: { name: 'c' },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'k' } }] } }
  })
  await send(server, 'POST', '/api/v1/nodes', { metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': 'z' } } })
  await send(server, 'POST', pods, pod('on-n', { nodeName: 'n', serviceAccountName: 'default' }))
  const { body } = await send(server, 'POST', pods, pod('bound'))
  await send(server, 'PUT', `${pods}/bound/status`, { ...body, status: { ...body.status, nominatedNodeName: 'n' } })
  const binding = { metadata: { name: 'bound', labels: { mine: '1' } }, target: { kind: 'Node', name: 'n' } }
  assert.equal((await send(server, 'POST', `${pods}/bound/binding`, binding)).status, 201)
  const volumes = ['Memory', ''].map((medium, i) => ({ name: `v${i}`, emptyDir: { medium, sizeLimit: '1Mi' } }))
  const containers = [container({ resources: { requests: { cpu: '1' } } })]
  await send(server, 'POST', pods, pod('sized', { containers, volumes }))
  await makeJob(server, 'fresh', false)
  await makeJob(server, 'paused', true)
}

describe('feature gates', () => {
  const turned = cases.flatMap(({ gates }) => gates).map(gate => [gate, offByDefault.includes(gate)])
  const make = (featureGates: Record<string, boolean>) =>
    createServer({
      log: silentLogger,
      storageBackend: 'memory',
      listen: false,
      disableAdmissionPlugins: ['ServiceAccount'],
      enableAdmissionPlugins: ['NodeRestriction'],
      authorizationMode: ['Node', 'RBAC'],
      featureGates
    })
  const [usual, other] = [make({}), make(Object.fromEntries(turned))] as const
  before(async () => {
    await usual.start()
    await other.start()
    await prepare(usual)
    await prepare(other)
  })
  after(async () => {
    await usual.stop()
    await other.stop()
  })

  for (const { gates, what, see, on, off } of cases)
    it(`${gates.join(', ')}: ${what}`, async () => {
      const [byDefault, turned] = offByDefault.includes(gates[0]!) ? [off, on] : [on, off]
      assert.deepEqual([await see(usual), await see(other)], [byDefault, turned])
    })
})

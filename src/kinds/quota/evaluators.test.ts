/** What objects use of a quota, and which writes change that. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resourcesOf } from '../resource/class-resources.js'
import { countEvaluator, type Evaluator, type Scope } from './evaluator.js'
import { countsDifferently, evaluatorOf, quotaMatches } from './evaluators.js'
import { persistentVolumeClaimEvaluator } from './persistent-volume-claims.js'
import { podEvaluator } from './pods.js'
import { type AroundClaims, resourceClaimEvaluator } from './resource-claims.js'
import { selects } from './scopes.js'
import { serviceEvaluator } from './services.js'

const gold = 'gold.storageclass.storage.k8s.io'

/** A class with an extended resource, and one without. */
const classes: any[] = [
  { metadata: { name: 'gpu' }, spec: { extendedResourceName: 'example.com/gpu' } },
  { metadata: { name: 'nic' }, spec: {} }
]
const aroundClaims = (around: Partial<AroundClaims> = {}): Evaluator =>
  resourceClaimEvaluator({
    classes: () => classes,
    provided: () => new Set(classes.flatMap(resourcesOf)),
    pod: () => undefined,
    claims: () => [],
    ...around
  })
const claimEvaluator = aroundClaims()

describe('the names of a quota', () => {
  for (const [what, evaluator, own, foreign] of [
    ['secrets', countEvaluator({ group: '', resource: 'secrets' }), ['secrets', 'count/secrets'], ['count/secrets.x', 'pods']],
    [
      'deployments',
      countEvaluator({ group: 'apps', resource: 'deployments' }),
      ['count/deployments.apps'],
      ['count/deployments', 'deployments']
    ],
    [
      'secrets of a group',
      countEvaluator({ group: 'x', resource: 'secrets' }),
      ['count/secrets.x'],
      ['secrets', 'count/secrets']
    ],
    ['pods of the core group', countEvaluator({ group: '', resource: 'endpoints' }), ['count/endpoints'], ['endpoints']],
    [
      'services',
      serviceEvaluator,
      ['services', 'count/services', 'services.nodeports', 'services.loadbalancers'],
      ['services.x', 'pods']
    ],
    [
      'claims',
      persistentVolumeClaimEvaluator,
      [
        'persistentvolumeclaims',
        'count/persistentvolumeclaims',
        'requests.storage',
        `${gold}/requests.storage`,
        `${gold}/persistentvolumeclaims`
      ],
      ['storage', 'requests.cpu', `${gold}/storage`]
    ],
    [
      'pods',
      podEvaluator,
      [
        'pods',
        'count/pods',
        'cpu',
        'requests.memory',
        'limits.ephemeral-storage',
        'hugepages-2Mi',
        'requests.hugepages-2Mi',
        'requests.example.com/gpu',
        'requests.deviceclass.resource.kubernetes.io/gpu'
      ],
      [
        'example.com/gpu',
        'requests.kubernetes.io/x',
        'limits.example.com/gpu',
        'requests.gpu',
        'requests.requests.example.com/x',
        'secrets'
      ]
    ],
    [
      'resource claims',
      claimEvaluator,
      [
        'count/resourceclaims.resource.k8s.io',
        'gpu.deviceclass.resource.k8s.io/devices',
        'requests.example.com/gpu',
        'requests.deviceclass.resource.kubernetes.io/gpu',
        'requests.deviceclass.resource.kubernetes.io/nic'
      ],
      [
        'resourceclaims',
        'deviceclass.resource.k8s.io',
        'example.com/gpu',
        'requests.example.com/nic',
        'requests.deviceclass.resource.kubernetes.io/none',
        'requests.cpu'
      ]
    ]
  ] as const)
    it(`limit ${what}`, () => {
      for (const name of own) assert.equal(evaluator.matches(name), true, name)
      for (const name of foreign) assert.equal(evaluator.matches(name), false, name)
    })
})

describe('a Service', () => {
  const service = (type: string, ports: object[] | undefined, more: object = {}): any => ({ spec: { type, ports, ...more } })
  const [open, taken] = [{ port: 1 }, { port: 1, nodePort: 30_000 }]

  it('uses the node ports that it will have, and a load balancer', () => {
    const cases: readonly (readonly [service: object, ports: string, balancers: string])[] = [
      [service('ClusterIP', [open, open]), '0', '0'],
      [service('NodePort', [open, open]), '2', '0'],
      [service('NodePort', undefined), '0', '0'],
      [service('LoadBalancer', [open, open]), '2', '1'],
      [service('LoadBalancer', [open, taken], { allocateLoadBalancerNodePorts: false }), '1', '1'],
      [service('LoadBalancer', [open, taken], { allocateLoadBalancerNodePorts: true }), '2', '1']
    ]
    for (const [object, ports, balancers] of cases)
      assert.deepEqual(serviceEvaluator.usage(object, 0), {
        'count/services': '1',
        services: '1',
        'services.nodeports': ports,
        'services.loadbalancers': balancers
      })
  })

  it('is charged by each write of itself', () => {
    assert.equal(serviceEvaluator.isCharged('UPDATE', '', {}, {}), true)
    assert.equal(serviceEvaluator.isCharged('UPDATE', 'status', {}, {}), false)
    assert.equal(serviceEvaluator.inScope({}, { scopeName: 'BestEffort', operator: 'Exists' }), false)
  })
})

describe('a claim', () => {
  const claim = (spec: object, status: object | undefined = undefined, annotations = {}): any => ({
    metadata: { annotations },
    spec,
    status
  })
  const asks = (storage: string) => ({ resources: { requests: { storage } } })
  const usage = (object: object) => persistentVolumeClaimEvaluator.usage(object, 0)
  const counts = { 'count/persistentvolumeclaims': '1', persistentvolumeclaims: '1' }

  it('uses storage, of its class, too', () => {
    assert.deepEqual(usage(claim({})), counts)
    assert.deepEqual(usage(claim(asks('1Gi'))), { ...counts, 'requests.storage': '1Gi' })
    const classed = {
      ...counts,
      'requests.storage': '1Gi',
      [`${gold}/persistentvolumeclaims`]: '1',
      [`${gold}/requests.storage`]: '1Gi'
    }
    assert.deepEqual(usage(claim({ ...asks('1Gi'), storageClassName: 'gold' })), classed)
    const annotation = { 'volume.beta.kubernetes.io/storage-class': 'gold' }
    assert.deepEqual(usage(claim({ ...asks('1Gi'), storageClassName: 'silver' }, undefined, annotation)), classed)
    assert.equal(usage(claim(asks('1500m')))['requests.storage'], '2')
  })

  it('uses what is allocated, if that is more', () => {
    const allocated = (storage: string) => usage(claim(asks('2Gi'), { allocatedResources: { storage } }))['requests.storage']
    assert.deepEqual(['1Gi', '2048Mi', '3Gi'].map(allocated), ['2Gi', '2Gi', '3Gi'])
  })

  it('is charged by writes of itself, and by a status that changes what it uses', () => {
    const { isCharged } = persistentVolumeClaimEvaluator
    const [one, two] = ['1Gi', '2Gi'].map(storage => claim({}, { allocatedResources: { storage } }))
    const fast = claim({}, { currentVolumeAttributesClassName: 'fast', allocatedResources: { storage: '1Gi' } })
    assert.equal(isCharged('UPDATE', '', one, one), true)
    assert.equal(isCharged('UPDATE', 'status', one, one), false)
    assert.equal(isCharged('UPDATE', 'status', two, one), true)
    assert.equal(isCharged('UPDATE', 'status', fast, one), true)
    assert.equal(isCharged('CREATE', 'status', two, undefined), false)
    assert.equal(isCharged('UPDATE', 'other', two, one), false)
  })

  it('is in the scope of each attributes class that it has, is getting or requests', () => {
    const scope: Scope = { scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }
    const isIn = (spec: object, status: object = {}, of = scope) =>
      persistentVolumeClaimEvaluator.inScope(claim(spec, status), of)
    assert.equal(isIn({ volumeAttributesClassName: 'fast' }), true)
    assert.equal(isIn({ volumeAttributesClassName: 'slow' }), false)
    assert.equal(isIn({}, { currentVolumeAttributesClassName: 'fast' }), true)
    assert.equal(isIn({}, { modifyVolumeStatus: { targetVolumeAttributesClassName: 'fast' } }), true)
    assert.equal(isIn({ volumeAttributesClassName: 'fast' }, {}, { ...scope, scopeName: 'BestEffort' }), false)
    assert.equal(isIn({ volumeAttributesClassName: '' }, {}, { ...scope, operator: 'Exists' }), false)
  })
})

describe('a Pod', () => {
  const pod = (spec: object, status: object = {}, metadata: object = {}): any => ({
    metadata,
    spec: { containers: [], ...spec },
    status
  })
  const container = (resources: object) => ({ name: 'c', resources })
  const usage = (object: object, now = 0) => podEvaluator.usage(object, now)

  it('uses what its containers request and are limited to', () => {
    const amounts = { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '2Mi', 'example.com/gpu': '3', 'kubernetes.io/x': '1' }
    assert.deepEqual(usage(pod({ containers: [container({ requests: amounts, limits: { cpu: '2' } })] })), {
      'count/pods': '1',
      pods: '1',
      cpu: '1',
      'requests.cpu': '1',
      'limits.cpu': '2',
      memory: '1Gi',
      'requests.memory': '1Gi',
      'hugepages-2Mi': '2Mi',
      'requests.hugepages-2Mi': '2Mi',
      'requests.example.com/gpu': '3'
    })
  })

  it('uses what its containers have or were given, if that is more, during a resize', () => {
    const list = (amount?: string) => amount && { cpu: amount }
    const shown = (asked: string, allocated?: string, had?: string, reason = 'Deferred') => {
      const status = {
        containerStatuses: [
          { name: 'c', allocatedResources: list(allocated), resources: had && { requests: list(had), limits: list(had) } }
        ],
        conditions: [
          { type: 'Ready', reason: 'Infeasible' },
          { type: 'PodResizePending', reason }
        ]
      }
      const used = usage(pod({ containers: [container({ requests: list(asked), limits: list(asked) })] }, status))
      return [used['requests.cpu'], used['limits.cpu']]
    }
    assert.deepEqual(shown('1'), ['1', '1'])
    assert.deepEqual(shown('1', '2'), ['2', '1'])
    assert.deepEqual(shown('1', '2', '3'), ['3', '3'])
    assert.deepEqual(shown('4', '2', '3'), ['4', '4'])
    assert.deepEqual(shown('4', '2', '3', 'Infeasible'), ['3', '3'])
    assert.deepEqual(shown('4', undefined, undefined, 'Infeasible'), [undefined, undefined])
    const beside = (name: string, requests: object, more: object = {}) => ({ ...container({ requests }), name, ...more })
    const given = (name: string, cpu: string) => ({ name, resources: { requests: { cpu } } })
    const init = pod(
      {
        containers: [beside('a', { cpu: '1' })],
        initContainers: [beside('s', { cpu: '1' }, { restartPolicy: 'Always' }), beside('i', { cpu: '1' })]
      },
      { initContainerStatuses: [given('s', '2'), given('i', '7')], containerStatuses: [given('a', '3')] }
    )
    assert.equal(usage(init)['requests.cpu'], '9')
  })

  it('adds its overhead to requests, and to limits that are set', () => {
    const overhead = { cpu: '1', memory: '1Gi' }
    const used = usage(pod({ overhead, containers: [container({ requests: { cpu: '1' }, limits: { cpu: '1', memory: '0' } })] }))
    assert.deepEqual([used['requests.cpu'], used['requests.memory']], ['2', '1Gi'])
    assert.deepEqual([used['limits.cpu'], used['limits.memory']], ['2', '0'])
  })

  it('that has ended only counts', () => {
    const ended = { 'count/pods': '1' }
    assert.deepEqual(usage(pod({}, { phase: 'Failed' })), ended)
    assert.deepEqual(usage(pod({}, { phase: 'Succeeded' })), ended)
    assert.notDeepEqual(usage(pod({}, { phase: 'Running' })), ended)
    const deleted = { deletionTimestamp: '1970-01-01T00:01:40Z', deletionGracePeriodSeconds: 30 }
    const at = (seconds: number, metadata: object = deleted) => 'pods' in usage(pod({}, {}, metadata), seconds * 1000)
    assert.deepEqual([at(130), at(131)], [true, false])
    assert.equal(at(999, { deletionTimestamp: deleted.deletionTimestamp }), true)
    assert.equal(at(999, { deletionGracePeriodSeconds: 0 }), true)
  })

  it('is charged when it is created or resized, or changes its deadline', () => {
    const { isCharged } = podEvaluator
    const [endless, ending] = [pod({}), pod({ activeDeadlineSeconds: 0 })]
    assert.equal(isCharged('CREATE', '', endless, undefined), true)
    assert.equal(isCharged('UPDATE', '', endless, endless), false)
    assert.equal(isCharged('UPDATE', '', ending, endless), true)
    assert.equal(isCharged('UPDATE', '', endless, ending), true)
    assert.equal(isCharged('UPDATE', 'resize', endless, endless), true)
    assert.equal(isCharged('CREATE', 'resize', endless, endless), false)
    assert.equal(isCharged('UPDATE', 'status', ending, endless), false)
  })

  it('is in the scopes of its deadline, quality, affinity and priority', () => {
    const isIn = (spec: object, scopeName: string, operator = 'Exists', values?: string[]) =>
      podEvaluator.inScope(pod(spec), { scopeName, operator, values } as Scope)
    const effort = { containers: [container({ requests: { cpu: '1' } })] }
    const best = { containers: [container({})] }
    const term = (more: object) => ({ podAffinityTerm: { topologyKey: 'k', ...more }, weight: 1 })
    const affinity = (kind: string, more: object) => ({
      affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'k', ...more }] } }
    })
    const preferred = {
      affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [term({ namespaces: ['a'] })] } }
    }
    const crossing = 'CrossNamespacePodAffinity'
    const high = { priorityClassName: 'high' }
    for (const [spec, scope, expected, ...more] of [
      [{ activeDeadlineSeconds: 0 }, 'Terminating', true],
      [{}, 'Terminating', false],
      [{ activeDeadlineSeconds: 0 }, 'NotTerminating', false],
      [{}, 'NotTerminating', true],
      [best, 'BestEffort', true],
      [effort, 'BestEffort', false],
      [best, 'NotBestEffort', false],
      [effort, 'NotBestEffort', true],
      [{}, crossing, false],
      [affinity('podAffinity', {}), crossing, false],
      [affinity('podAffinity', { namespaces: [] }), crossing, false],
      [affinity('podAffinity', { namespaces: ['a'] }), crossing, true],
      [affinity('podAntiAffinity', { namespaceSelector: {} }), crossing, true],
      [preferred, crossing, true],
      [high, 'PriorityClass', true],
      [{}, 'PriorityClass', false],
      [high, 'PriorityClass', true, 'In', ['high']],
      [high, 'PriorityClass', false, 'NotIn', ['high']],
      [{}, 'PriorityClass', true, 'DoesNotExist'],
      [{}, 'Other', false]
    ] as [object, string, boolean, string?, string[]?][])
      assert.equal(isIn(spec, scope, ...more), expected, `${scope} ${JSON.stringify([spec, ...more])}`)
  })

  it('must request what a quota counts', () => {
    const missing = (spec: object, ...names: string[]) => podEvaluator.missing!(names, pod(spec))
    const one = { name: 'a', resources: { requests: { cpu: '1' } } }
    assert.equal(missing({ containers: [one] }, 'cpu', 'requests.cpu', 'pods', 'requests.example.com/gpu'), undefined)
    assert.equal(missing({ containers: [one, { name: 'b' }] }, 'requests.cpu'), 'must specify requests.cpu for: b')
    assert.equal(missing({ containers: [one], initContainers: [{ name: 'i' }] }, 'cpu'), 'must specify cpu for: i')
    assert.equal(
      missing({ containers: [{ name: 'b' }, { name: 'a' }, { name: 'a' }] }, 'memory', 'limits.memory'),
      'must specify limits.memory for: a,b; memory for: a,b'
    )
    for (const resources of [{ requests: { memory: '1' } }, { limits: { cpu: '1' } }])
      assert.equal(missing({ containers: [{ name: 'b' }], resources }, 'cpu'), undefined)
    for (const resources of [{}, { requests: {} }, { limits: {} }])
      assert.equal(missing({ containers: [{ name: 'b' }], resources }, 'cpu'), 'must specify cpu for: b')
  })
})

describe('a resource claim', () => {
  const of = (deviceClassName: string, count?: number, allocationMode?: string) => ({ deviceClassName, count, allocationMode })
  const claimOf = (requests: object[], metadata: object = {}): any => ({
    metadata: { namespace: 'ns', name: 'c', creationTimestamp: '2026-01-02T00:00:00Z', ...metadata },
    spec: { devices: { requests } }
  })
  const devicesOf = (evaluator: Evaluator, claim: object) => {
    const { 'count/resourceclaims.resource.k8s.io': count, ...devices } = evaluator.usage(claim, 0)
    assert.equal(count, '1')
    return devices
  }

  it('uses the most devices that its requests can get of each class', () => {
    const usage = (...requests: object[]) =>
      Object.fromEntries(
        Object.entries(devicesOf(claimEvaluator, claimOf(requests)))
          .filter(([name]) => !name.startsWith('requests.'))
          .map(([name, amount]) => [name.replace(/\..*/, ''), amount])
      )
    assert.deepEqual(usage(), {})
    assert.deepEqual(usage({ exactly: of('gpu') }, { exactly: of('gpu', 2) }, { exactly: of('nic', 4) }), { gpu: '3', nic: '4' })
    assert.deepEqual(usage({ exactly: of('gpu', 1, 'All') }), { gpu: '32' })
    assert.deepEqual(usage({ firstAvailable: [of('gpu', 2), of('gpu', 1), of('nic', 1)] }), { gpu: '2', nic: '1' })
    assert.equal(claimEvaluator.isCharged('UPDATE', '', {}, {}), true)
    assert.equal(claimEvaluator.isCharged('UPDATE', 'status', {}, {}), false)
  })

  it('uses the extended resources that its classes provide', () => {
    assert.deepEqual(devicesOf(claimEvaluator, claimOf([{ exactly: of('gpu', 2) }, { exactly: of('nic') }])), {
      'gpu.deviceclass.resource.k8s.io/devices': '2',
      'nic.deviceclass.resource.k8s.io/devices': '1',
      'requests.example.com/gpu': '2',
      'requests.deviceclass.resource.kubernetes.io/gpu': '2',
      'requests.deviceclass.resource.kubernetes.io/nic': '1'
    })
  })

  it('is not charged for what its Pod has been charged', () => {
    const requests = { 'example.com/gpu': '1', 'deviceclass.resource.kubernetes.io/gpu': '3' }
    const pod = (status: object = {}): any => ({
      metadata: { uid: 'u' },
      spec: { containers: [{ name: 'a', resources: { requests } }] },
      status
    })
    const made = (name = 'c', more: object = {}) =>
      claimOf([{ exactly: of('gpu', 3) }], {
        name,
        annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u', controller: true }],
        ...more
      })
    const left = (claim: object, present: any, others: any[] = []) => {
      const usage = devicesOf(
        aroundClaims({ pod: (_, name) => (name === 'p' ? present : undefined), claims: () => others }),
        claim
      )
      return [usage['requests.example.com/gpu'], usage['requests.deviceclass.resource.kubernetes.io/gpu']]
    }
    const [whole, part] = [
      ['3', '3'],
      ['2', undefined]
    ]
    const named = (resourceClaimName: string) => pod({ extendedResourceClaimStatus: { resourceClaimName } })
    assert.deepEqual(left(made(), named('c')), part)
    assert.deepEqual(left(made(), named('d')), whole)
    assert.deepEqual(left(made(), undefined), whole)
    assert.deepEqual(left(made(), { ...named('c'), metadata: { uid: 'v' } }), whole)
    assert.deepEqual(left(made('c', { annotations: {} }), named('c')), whole)
    // until the Pod names its claim, the oldest is meant, and of those the one with the lowest name
    assert.deepEqual(left(made(), pod(), [made()]), part)
    assert.deepEqual(left(made(), pod(), [made('b')]), whole)
    assert.deepEqual(left(made(), pod(), [made('d')]), part)
    assert.deepEqual(left(made(), pod(), [made('d', { creationTimestamp: '2026-01-01T00:00:00Z' })]), whole)
    assert.deepEqual(left(made(), pod(), [made('b', { creationTimestamp: '2026-01-03T00:00:00Z' })]), part)
    assert.deepEqual(left(made(), pod(), [made('b', { annotations: {} })]), part)
  })
})

describe('a quota', () => {
  it('counts what one of its names limits, in all its scopes', () => {
    const quota = (hard: object | undefined, spec: object = {}): any => ({ spec, status: { hard } })
    const object: any = {
      metadata: {},
      spec: { containers: [], activeDeadlineSeconds: 1, priorityClassName: 'high' },
      status: {}
    }
    const counts = (hard: object | undefined, spec: object = {}) => quotaMatches(quota(hard, spec), podEvaluator, object)
    assert.equal(counts({ secrets: '1', pods: '1' }), true)
    assert.equal(counts({ secrets: '1' }), false)
    assert.equal(counts(undefined), false)
    assert.equal(counts({ pods: '1' }, { scopes: ['Terminating', 'BestEffort'] }), true)
    assert.equal(counts({ pods: '1' }, { scopes: ['Terminating', 'NotBestEffort'] }), false)
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['low'] }]
    assert.equal(counts({ pods: '1' }, { scopes: ['Terminating'], scopeSelector: { matchExpressions } }), false)
  })

  it('counts two states of an object differently when one uses more or is in other scopes', () => {
    const quota = (name: string, spec: object = {}): any => ({
      spec: { hard: { [name]: '1', secrets: '1' }, ...spec },
      status: {}
    })
    const pod = (spec: object = {}, status: object = {}, metadata: object = {}): any => ({
      metadata,
      spec: { containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }], ...spec },
      status
    })
    const differ = (what: object, [object, old]: [object, object], now = 0) =>
      assert.deepEqual(
        [
          countsDifferently(what as any, podEvaluator, object, old, now),
          countsDifferently(what as any, podEvaluator, old, object, now)
        ],
        [true, true]
      )
    const same = (what: object, [object, old]: [object, object]) =>
      assert.equal(countsDifferently(what as any, podEvaluator, object, old, 0), false)
    const ending: [object, object] = [pod({ activeDeadlineSeconds: 5 }), pod()]
    differ(quota('count/pods', { scopes: ['Terminating'] }), ending)
    differ(quota('pods', { scopes: ['NotTerminating'] }), ending)
    same(quota('pods'), ending)
    same(quota('pods', { scopes: ['Terminating', 'BestEffort'] }), ending)
    same(quota('services', { scopes: ['Terminating'] }), ending)
    differ(quota('pods'), [pod({}, { phase: 'Failed' }), pod()])
    same(quota('count/pods'), [pod({}, { phase: 'Failed' }), pod()])
    same(quota('pods'), [pod({}, { phase: 'Failed' }), pod({}, { phase: 'Succeeded' })])
    const given = { containerStatuses: [{ name: 'c', resources: { requests: { cpu: '2' } } }] }
    differ(quota('requests.cpu'), [pod({}, given), pod()])
    same(quota('requests.memory'), [pod({}, given), pod()])
    same(quota('requests.cpu'), [
      pod(),
      pod({}, { containerStatuses: [{ name: 'c', resources: { requests: { cpu: '1000m' } } }] })
    ])
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }]
    differ(quota('pods', { scopeSelector: { matchExpressions } }), [pod({ priorityClassName: 'high' }), pod()])
    const deleted = { deletionTimestamp: '1970-01-01T00:00:01Z', deletionGracePeriodSeconds: 0 }
    differ(quota('pods'), [pod({}, {}, deleted), pod()], 2000)
  })

  it('selects the values of an object', () => {
    const select = (operator: string, present: string[], values: string[] | undefined = ['a', 'b']) =>
      selects({ scopeName: 'PriorityClass', operator, values } as Scope, present)
    for (const [operator, present, expected] of [
      ['In', ['a'], true],
      ['In', ['c'], false],
      ['In', [], false],
      ['NotIn', ['a'], false],
      ['NotIn', ['c'], true],
      ['NotIn', ['a', 'c'], true],
      ['NotIn', [], true],
      ['Exists', ['c'], true],
      ['Exists', [], false],
      ['DoesNotExist', ['c'], false],
      ['DoesNotExist', [], true]
    ] as [string, string[], boolean][])
      assert.equal(select(operator, present), expected, `${operator} ${present}`)
  })

  it('counts other objects when they are created', () => {
    const { usage, isCharged, inScope } = countEvaluator({ group: '', resource: 'secrets' })
    assert.deepEqual(usage({}, 0), { secrets: '1', 'count/secrets': '1' })
    assert.equal(isCharged('CREATE', '', {}, undefined), true)
    assert.equal(isCharged('CREATE', 'x', {}, undefined), false)
    assert.equal(isCharged('UPDATE', '', {}, {}), false)
    assert.equal(inScope({}, { scopeName: 'Terminating', operator: 'Exists' }), false)
  })
})

describe('the evaluator of a resource', () => {
  const resource = (group: string, plural: string, more: object = {}): any => ({
    group,
    resource: plural,
    groupResource: { group, resource: plural },
    namespaced: true,
    kind: {},
    ...more
  })

  /** A registry that has classes of devices. */
  const provides = [...classes]
  let revision = 1
  const cache = {
    get revision() {
      return revision
    }
  }
  const served: any = {
    ifServed: ({ resource }: { resource: string }) => (resource === 'deviceclasses' ? { list: () => provides, cache } : undefined)
  }

  it('is its own, or counts objects', () => {
    assert.equal(evaluatorOf(resource('', 'pods'), served), podEvaluator)
    assert.equal(evaluatorOf(resource('', 'services'), served), serviceEvaluator)
    assert.equal(evaluatorOf(resource('', 'persistentvolumeclaims'), served), persistentVolumeClaimEvaluator)
    const ofClaims = evaluatorOf(resource('resource.k8s.io', 'resourceclaims'), served)!
    assert.equal(ofClaims.matches('requests.example.com/gpu'), true)
    assert.equal(ofClaims.matches('requests.example.com/nic'), false)
    // what classes provide is looked up anew when they have changed
    provides.push({ metadata: { name: 'net' }, spec: { extendedResourceName: 'example.com/nic' } })
    revision++
    assert.equal(ofClaims.matches('requests.example.com/nic'), true)
    const maps = resource('', 'configmaps')
    for (const name of ['configmaps', 'count/configmaps']) assert.equal(evaluatorOf(maps, served)!.matches(name), true)
    for (const plural of ['resourcequotas', 'replicationcontrollers', 'secrets'])
      assert.equal(evaluatorOf(resource('', plural), served)!.matches(plural), true)
    assert.equal(evaluatorOf(resource('x', 'pods'), served)!.matches('count/pods.x'), true)
  })

  it('is missing for what is not counted', () => {
    assert.equal(evaluatorOf(resource('', 'nodes', { namespaced: false }), served), undefined)
    assert.equal(evaluatorOf(resource('', 'bindings', { kind: { virtual: true } }), served), undefined)
    for (const group of ['', 'events.k8s.io']) assert.equal(evaluatorOf(resource(group, 'events'), served), undefined)
    assert.notEqual(evaluatorOf(resource('x', 'events'), served), undefined)
  })
})

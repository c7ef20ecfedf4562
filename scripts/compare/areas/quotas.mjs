/**
 * Quotas and limit ranges in a namespace, while Pods, claims and Services are created, moved between scopes, resized, ended and deleted. Needs the controllers of quotas on both
 * servers: what quotas have used is compared when both have settled.
 */
import { normal } from '../applies/sequence.mjs'
import { merge, strategic } from '../patch-types.mjs'

const namespace = '/api/v1/namespaces/$NS'
/** Both controllers have counted again by then. */
const settled = 600

export const controllers = ['resourcequota-controller']
/** Quotas of the namespace count what all sequences make in it. */
export const oneByOne = true

export async function area({ random, send }) {
  for (const name of ['low', 'high'])
    await send({
      path: '/apis/scheduling.k8s.io/v1/priorityclasses',
      body: { metadata: { name: `$RUN-${name}` }, value: name === 'low' ? 1 : 1000 }
    })
  return {
    eachResource: true,
    generate: () => sequence(random),
    cleanup: ['low', 'high'].map(name => ({ method: 'DELETE', path: `/apis/scheduling.k8s.io/v1/priorityclasses/$RUN-${name}` }))
  }
}

/** The ports of nodes are drawn. */
function shown(body) {
  for (const port of body.spec?.ports ?? []) delete port.nodePort
  return normal(body)
}

export const picks = {
  shown,
  used: ({ items }) => items?.map(({ metadata, spec, status }) => [metadata.name, spec, status])
}

function sequence(random) {
  const one = (...values) => random.pick(values)
  const maybe = (chance, fields) => (random.chance(chance) ? fields : {})
  const cpu = () => one('100m', '0.5', '1', '2')
  const memory = () => one('64Mi', '100M', '1Gi')
  const resources = () => ({
    ...maybe(0.7, {
      requests: {
        ...maybe(0.7, { cpu: cpu() }),
        ...maybe(0.5, { memory: memory() }),
        ...maybe(0.1, { 'ephemeral-storage': '1Gi' })
      }
    }),
    ...maybe(0.4, {
      limits: {
        ...maybe(0.7, { cpu: one('2', '3') }),
        ...maybe(0.5, { memory: '2Gi' }),
        ...maybe(0.1, { 'example.com/gpu': '1' })
      }
    })
  })
  const container = name => ({ name, image: 'i', resources: resources() })
  const term = () => ({
    topologyKey: 'a',
    labelSelector: {},
    ...one({}, { namespaces: ['x'] }, { namespaceSelector: {} }, { namespaces: [] })
  })
  const pod = name => ({
    metadata: { name, labels: { case: '$ID' } },
    spec: {
      automountServiceAccountToken: false,
      containers: [container('c'), ...(random.chance(0.2) ? [container('d')] : [])],
      ...maybe(0.2, { initContainers: [{ ...container('i'), ...maybe(0.5, { restartPolicy: 'Always' }) }] }),
      ...maybe(0.25, { activeDeadlineSeconds: one(5, 100) }),
      ...maybe(0.3, { priorityClassName: `$RUN-${one('low', 'high')}` }),
      ...maybe(0.2, { resources: resources() }),
      ...maybe(0.2, {
        affinity: { [one('podAffinity', 'podAntiAffinity')]: { requiredDuringSchedulingIgnoredDuringExecution: [term()] } }
      })
    }
  })
  const claim = name => ({
    metadata: { name, labels: { case: '$ID' } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      volumeName: 'v',
      resources: { requests: { storage: one('1Gi', '2G', '1500m') } },
      storageClassName: one('gold', ''),
      ...maybe(0.5, { volumeAttributesClassName: one('fast', 'slow') })
    }
  })
  const ports = () => Array.from({ length: 1 + random.below(3) }, (_, i) => ({ name: `p${i}`, port: 80 + i }))
  const service = name => ({
    metadata: { name, labels: { case: '$ID' } },
    spec: {
      type: one('ClusterIP', 'NodePort', 'LoadBalancer'),
      ports: ports(),
      ...maybe(0.1, { allocateLoadBalancerNodePorts: false })
    }
  })
  const hardOf = {
    pods: () => ({
      ...maybe(0.6, { pods: one('1', '2', '9') }),
      ...maybe(0.4, { 'count/pods': one('1', '3') }),
      ...maybe(0.4, { [one('cpu', 'requests.cpu')]: one('1', '2500m') }),
      ...maybe(0.3, { 'limits.cpu': '4' }),
      ...maybe(0.3, { [one('memory', 'requests.memory', 'limits.memory')]: '3Gi' }),
      ...maybe(0.1, { 'requests.example.com/gpu': '2' })
    }),
    claims: () => ({
      ...maybe(0.7, { persistentvolumeclaims: one('1', '2') }),
      ...maybe(0.6, { 'requests.storage': one('2Gi', '5Gi') }),
      ...maybe(0.3, { 'gold.storageclass.storage.k8s.io/requests.storage': '2Gi' })
    }),
    services: () => ({
      services: one('1', '3'),
      ...maybe(0.6, { 'services.nodeports': '3' }),
      ...maybe(0.5, { 'services.loadbalancers': '1' })
    })
  }
  const expression = () => {
    const operator = one('In', 'NotIn', 'Exists', 'DoesNotExist')
    return { operator, ...(operator.endsWith('In') ? { values: [`$RUN-${one('low', 'high')}`] } : {}) }
  }
  const scopesFor = {
    pods: () =>
      one(
        {},
        { scopes: [one('Terminating', 'NotTerminating')] },
        { scopes: [one('Terminating', 'NotTerminating'), 'NotBestEffort'] },
        { scopes: ['BestEffort', one('Terminating', 'NotTerminating')] },
        { scopes: ['CrossNamespacePodAffinity'] },
        { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', ...expression() }] } },
        { scopes: ['Terminating'], scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', ...expression() }] } }
      ),
    claims: () =>
      one(
        {},
        {
          scopeSelector: {
            matchExpressions: [
              { scopeName: 'VolumeAttributesClass', operator: one('In', 'NotIn'), values: [one('fast', 'slow')] }
            ]
          }
        },
        { scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: one('Exists', 'DoesNotExist') }] } }
      ),
    services: () => ({})
  }
  const kinds = {
    pods: { path: 'pods', make: pod },
    claims: { path: 'persistentvolumeclaims', make: claim },
    services: { path: 'services', make: service }
  }
  const names = ['a', 'b', 'c'].map(suffix => `$ID-${suffix}`)
  const quotas = []
  const touched = new Set()
  /** Most sequences are about one kind. */
  const about = one('pods', 'pods', 'claims', 'services')
  const requests = []
  const patch = (path, body, type = merge) => ({
    method: 'PATCH',
    path: `${namespace}/${path}`,
    body,
    headers: { 'content-type': type }
  })
  const used = () => [
    {
      path: `${namespace}/resourcequotas`,
      wait: settled,
      eventually: true,
      pick: picks.used
    }
  ]
  const makeQuota = () => {
    const name = `$ID-q${quotas.length}`
    quotas.push(name)
    const hard = hardOf[about]()
    requests.push(
      { path: `${namespace}/resourcequotas`, body: { metadata: { name }, spec: { hard, ...scopesFor[about]() } } },
      ...used()
    )
  }
  const limits = () => ({
    metadata: { name: '$ID-l', labels: { case: '$ID' } },
    spec: {
      limits: [
        one(
          {
            type: 'Container',
            ...maybe(0.6, { default: { cpu: '1' } }),
            ...maybe(0.6, { defaultRequest: { cpu: '500m', memory: '64Mi' } }),
            ...maybe(0.3, { max: { cpu: '2' } })
          },
          { type: 'Container', min: { cpu: '200m' }, ...maybe(0.5, { maxLimitRequestRatio: { cpu: '2' } }) },
          { type: 'Pod', max: { cpu: '2', memory: '1Gi' } },
          { type: 'PersistentVolumeClaim', max: { storage: '1500Mi' }, min: { storage: '1Gi' } }
        )
      ]
    }
  })
  makeQuota()
  if (random.chance(0.6)) makeQuota()
  for (let i = 4 + random.below(5); i > 0; i--) {
    const { path, make } = kinds[random.chance(0.9) ? about : one('pods', 'claims', 'services')]
    const name = one(...names)
    touched.add(`${path}/${name}`)
    const at = `${path}/${name}`
    const exists = requests.some(request => request.body?.metadata?.name === name && request.path === `${namespace}/${path}`)
    const steps = {
      create: () => ({ path: `${namespace}/${path}${random.chance(0.1) ? '?dryRun=All' : ''}`, body: make(name) }),
      remove: () => ({ method: 'DELETE', path: `${namespace}/${at}?gracePeriodSeconds=0` }),
      limit: () => ({ path: `${namespace}/limitranges`, body: limits() }),
      raise: () => patch(`resourcequotas/${one(...quotas)}`, { spec: { hard: hardOf[about]() } }),
      pods: () =>
        one(
          () => patch(at, { spec: { activeDeadlineSeconds: one(4, 90) } }),
          () => patch(at, { spec: { activeDeadlineSeconds: one(4, 90) } }),
          () => patch(`${at}/resize`, { spec: { containers: [{ name: 'c', resources: resources() }] } }, strategic),
          () => patch(`${at}/status`, { status: { phase: one('Running', 'Succeeded', 'Failed') } }),
          () => patch(at, { metadata: { labels: { x: one('1', '2') } } }),
          () =>
            patch(`${at}/status`, {
              status: {
                ...maybe(0.3, {
                  conditions: [{ type: 'PodResizePending', status: 'True', reason: one('Infeasible', 'Deferred') }]
                }),
                containerStatuses: [
                  {
                    name: 'c',
                    ready: true,
                    restartCount: 0,
                    image: 'i',
                    imageID: 'i',
                    ...maybe(0.5, { allocatedResources: { cpu: cpu() } }),
                    ...maybe(0.8, { resources: { requests: { cpu: cpu() }, ...maybe(0.4, { limits: { cpu: '3' } }) } })
                  }
                ]
              }
            })
        )(),
      persistentvolumeclaims: () =>
        one(
          () => patch(at, { spec: { volumeAttributesClassName: one('fast', 'slow') } }),
          () => patch(`${at}/status`, { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }),
          () =>
            patch(`${at}/status`, { status: { phase: 'Bound', currentVolumeAttributesClassName: one('fast', 'slow', null) } }),
          () =>
            patch(`${at}/status`, {
              status: {
                modifyVolumeStatus: one(null, { targetVolumeAttributesClassName: one('fast', 'slow'), status: 'Pending' })
              }
            }),
          () => patch(`${at}/status`, { status: { allocatedResources: { storage: one('1Gi', '4Gi') } } }),
          () => patch(at, { spec: { resources: { requests: { storage: one('3Gi', '6Gi') } } } })
        )(),
      services: () =>
        patch(at, { spec: { type: one('ClusterIP', 'NodePort', 'LoadBalancer'), ...maybe(0.4, { ports: ports() }) } })
    }
    requests.push(
      exists
        ? one(steps[path], steps[path], steps[path], steps.remove, steps.create, steps.raise)()
        : one(steps.create, steps.create, steps.create, steps.limit)(),
      ...used()
    )
  }
  return {
    requests: requests.map(request => ({ pick: shown, ...request })),
    cleanup: [
      ...[...touched].map(at => ({ method: 'DELETE', path: `${namespace}/${at}?gracePeriodSeconds=0` })),
      ...[...touched].filter(at => at.startsWith('persistent')).map(at => patch(at, { metadata: { finalizers: null } })),
      ...quotas.map(name => ({ method: 'DELETE', path: `${namespace}/resourcequotas/${name}` })),
      { method: 'DELETE', path: `${namespace}/limitranges/$ID-l` }
    ]
  }
}

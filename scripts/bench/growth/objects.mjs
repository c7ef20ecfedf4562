/** The objects of one namespace, as clients write them, and copies of it as another namespace has them. */
import { Random } from '../../shared/random.mjs'

export const namespace = number => `growth-${String(number).padStart(5, '0')}`
const first = namespace(0)

export const counts = { configmaps: 225, replicasets: 20, pods: 200, widgets: 55 }
/** One ConfigMap in four namespaces has one of these. */
export const shard = number => `shard-${number % 4}`

const name = (kind, number) => `${kind}-${String(number).padStart(4, '0')}`
export const nameOf = { configmap: n => name('settings', n), pod: n => name('web', n) }

const group = 'growth.example.com'
export const widgets = `/apis/${group}/v1`

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: {
                  size: { type: 'integer', minimum: 1 },
                  colour: { type: 'string', enum: ['red', 'green', 'blue'], default: 'red' },
                  parts: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: {
                        name: { type: 'string' },
                        weight: { type: 'number' },
                        tags: { type: 'array', items: { type: 'string' } }
                      }
                    }
                  }
                }
              },
              status: { type: 'object', properties: { phase: { type: 'string' }, observed: { type: 'integer' } } }
            }
          }
        }
      }
    ]
  }
}

/** Writes one namespace: every kind through its own requests, so that the objects are as a server stores them. */
export async function seed(client) {
  const random = new Random(28)
  await client.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await client.must('POST', '/api/v1/namespaces', { metadata: { name: first } })
  const core = `/api/v1/namespaces/${first}`
  while ((await client.get(`${core}/serviceaccounts/default`)).status !== 200) await later()
  while ((await client.get(`${core}/configmaps/kube-root-ca.crt`)).status !== 200) await later()
  while ((await client.get(`${widgets}/namespaces/${first}/widgets`)).status !== 200) await later()
  const create = (count, work) => client.measure(count, 8, work)
  await create(counts.configmaps, i => client.must('POST', `${core}/configmaps`, configMap(random, i)))
  const sets = []
  await create(counts.replicasets, async i => {
    const path = `/apis/apps/v1/namespaces/${first}/replicasets`
    sets[i] = JSON.parse(await client.must('POST', path, replicaSet(i)))
  })
  await create(counts.pods, async i => {
    const pod = JSON.parse(await client.must('POST', `${core}/pods`, podOf(random, i, sets[Math.floor(i / 10)])))
    const type = 'application/strategic-merge-patch+json'
    await client.must('PATCH', `${core}/pods/${pod.metadata.name}/status`, { status: statusOf(random, pod) }, { type })
  })
  await create(counts.widgets, i => client.must('POST', `${widgets}/namespaces/${first}/widgets`, widget(random, i)))
}

const later = () => new Promise(resolve => setTimeout(resolve, 20))

export const configMap = (random, i, prefix = 'settings') => ({
  metadata: { name: name(prefix, i), labels: { app: `app-${i % 20}`, shard: i === 0 ? shard(0) : 'none' } },
  data: {
    'application.yaml': Array.from({ length: 8 + random.below(16) }, (_, line) => `option.${line}: ${random.word(12)}`).join(
      '\n'
    ),
    level: random.word(4)
  }
})

const replicaSet = i => ({
  metadata: { name: name('web', i), labels: { app: `app-${i}` } },
  spec: {
    replicas: 10,
    selector: { matchLabels: { app: `app-${i}` } },
    template: { metadata: { labels: { app: `app-${i}` } }, spec: podSpec() }
  }
})

const podSpec = () => ({
  containers: [
    {
      name: 'main',
      image: 'registry.example.com/shop/web:1.24.3',
      args: ['--listen=:8080', '--verbose'],
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [
        { name: 'MODE', value: 'production' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }
      ],
      resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
      readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
      volumeMounts: [{ name: 'config', mountPath: '/etc/web' }]
    }
  ],
  volumes: [{ name: 'config', configMap: { name: name('settings', 1) } }]
})

const podOf = (random, i, owner) => ({
  metadata: {
    name: nameOf.pod(i),
    labels: { app: `app-${Math.floor(i / 10)}`, 'pod-template-hash': '5d4f8c7b9' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner.metadata.name, uid: owner.metadata.uid, controller: true }
    ]
  },
  spec: { ...podSpec(), nodeName: `node-${String(random.below(100)).padStart(3, '0')}` }
})

function statusOf(random, { spec }) {
  const time = '2026-01-01T10:00:00Z'
  const ip = `10.${random.below(256)}.${random.below(256)}.${random.below(256)}`
  const condition = type => ({ type, status: 'True', lastTransitionTime: time })
  const { name, image } = spec.containers[0]
  return {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    hostIP: '192.168.0.7',
    startTime: time,
    conditions: ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    containerStatuses: [
      {
        name,
        image,
        imageID: `registry.example.com/shop/web@sha256:${random.hex(64)}`,
        containerID: `containerd://${random.hex(64)}`,
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: time } },
        lastState: {}
      }
    ]
  }
}

const widget = (random, i) => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name: name('widget', i), labels: { app: `app-${i % 20}` } },
  spec: {
    size: 1 + random.below(100),
    parts: Array.from({ length: 2 + random.below(6) }, () => ({
      name: random.word(10),
      weight: random.below(1000) / 8,
      tags: [random.word(6), random.word(8)]
    }))
  }
})

/**
 * Copies the namespace through the store of a folder, until there are about `size` objects in all. Names and uids differ, and the owners
 * of the copies are copies.
 */
export async function copyNamespace(root, data, size) {
  const { openLmdbStore } = await import(`${root}/build/storage/lmdb/store.js`)
  const store = await openLmdbStore({ directory: `${data}/store` })
  const began = performance.now()
  const items = (await store.list(store.root)).items.filter(
    ({ key, value }) => key.includes(`/${first}`) && !key.includes('/events/') && value.length > 0
  )
  const originals = items.map(({ key, value }) => ({ key, text: value.toString() }))
  const copies = Math.max(0, Math.round(size / originals.length) - 1)
  for (let number = 1; number <= copies; number++) {
    const own = namespace(number)
    const commits = originals.map(({ key, text }) => {
      const value = text
        .replaceAll(first, own)
        .replaceAll(shard(0), shard(number))
        .replace(
          /(uid\\?":\\?")([0-9a-f]{8})/g,
          (_, field, digits) => field + ((Number.parseInt(digits, 16) ^ number) >>> 0).toString(16).padStart(8, '0')
        )
      return store.commit([{ key: key.replaceAll(first, own), value: Buffer.from(value), expected: 0 }])
    })
    for (const result of await Promise.all(commits)) if (!result.ok) throw new Error(`${result.key} exists`)
  }
  const seconds = (performance.now() - began) / 1000
  await store.close()
  const json = originals.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) * (copies + 1)
  return { objects: originals.length * (copies + 1), json, seconds }
}

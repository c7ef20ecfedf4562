/** What compiles with clients of built-in kinds, and what does not: `npm run types` checks it, nothing runs it. */
import { type BuiltinClients, type BuiltinKinds, type Draft, type KubeClient, kindRef, type ResourceClient } from '../../types.js'
import { until } from '../../until.js'
import { type Equal, is } from './equal.js'

type Pod = BuiltinKinds['v1']['Pod']
const container = { name: 'web', image: 'nginx' }
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } }

export async function names(client: KubeClient): Promise<void> {
  // @ts-expect-error a typo in the kind
  client.of('apps/v1', 'Deploymnet')
  // @ts-expect-error a typo in the group
  client.of('app/v1', 'Deployment')
  // @ts-expect-error a kind of another group
  client.of('v1', 'Deployment')
  // @ts-expect-error a kind that TypeScript does not know
  client.of('example.com/v1', 'Widget')
  // @ts-expect-error a typo in the kind
  kindRef('apps/v1', 'Deploymnet')

  const widgets = client.untyped('example.com/v1', 'Widget')
  const widget = await widgets.create({ metadata: { name: 'a' }, spec: { size: 3 } })
  is<Equal<typeof widget.metadata.uid, string>>()
  await widgets.subresource('anything').get('a')
  is<Equal<Awaited<ReturnType<ReturnType<typeof client.of<Pod>>['get']>>, Pod>>()
}

export async function answers(client: KubeClient): Promise<void> {
  const pod = await client.of('v1', 'Pod').get('web')
  is<Equal<typeof pod, Pod>>()
  is<Equal<typeof pod.kind, 'Pod'>>()
  is<Equal<typeof pod.metadata.name, string>>()
  is<Equal<typeof pod.metadata.namespace, string>>()
  is<Equal<typeof pod.metadata.uid, string>>()
  is<Equal<typeof pod.metadata.resourceVersion, string>>()
  is<Equal<typeof pod.metadata.creationTimestamp, string>>()
  is<Equal<(typeof pod.spec.containers)[number]['name'], string>>()
  is<Equal<typeof pod.spec.restartPolicy, 'Always' | 'Never' | 'OnFailure'>>()
  is<Equal<typeof pod.status.phase, 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown'>>()
  const node = await client.of('v1', 'Node').get('node-0')
  is<Equal<typeof node.metadata.namespace, string | undefined>>()
  const deployment = await client.of(kindRef('apps/v1', 'Deployment')).get('web')
  is<Equal<typeof deployment.spec.replicas, number>>()
  is<Equal<typeof deployment.spec.strategy.type, 'Recreate' | 'RollingUpdate'>>()
  const job = await client.of('batch/v1', 'CronJob').get('nightly')
  is<Equal<typeof job.spec.concurrencyPolicy, 'Allow' | 'Forbid' | 'Replace'>>()
  // Kubernetes may add values
  const mode: (typeof job.spec.jobTemplate.spec)['completionMode'] = 'Another'
  void mode
  const role = await client.of('rbac.authorization.k8s.io/v1', 'Role').get('reader')
  is<null extends typeof role.rules ? true : false>()

  for await (const { object } of client.of('v1', 'Pod').watch()) is<Equal<typeof object, Pod>>()
  const ready = await until(client, pod, ({ status }) => status.phase === 'Running')
  is<Equal<typeof ready, Pod>>()
  const named = await until(client, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }, { condition: 'Ready' })
  is<Equal<typeof named, Pod>>()
}

export async function writes(client: KubeClient): Promise<void> {
  const pods = client.of('v1', 'Pod')
  const pod = await pods.create({ metadata: { name: 'web' }, spec: { containers: [container] } })
  await pods.create({ metadata: { generateName: 'web-' }, spec: { containers: [container] } })
  await pods.create({
    metadata: { name: 'web' },
    spec: { containers: [{ ...container, resources: { limits: { cpu: 2, memory: '1Gi' } } }] }
  })
  // @ts-expect-error without a name
  await pods.create({ metadata: {}, spec: { containers: [container] } })
  // @ts-expect-error without spec
  await pods.create({ metadata: { name: 'web' } })
  // @ts-expect-error without the containers
  await pods.create({ metadata: { name: 'web' }, spec: {} })
  // @ts-expect-error a container without a name
  await pods.create({ metadata: { name: 'web' }, spec: { containers: [{ image: 'nginx' }] } })
  // @ts-expect-error another policy
  await pods.create({ metadata: { name: 'web' }, spec: { containers: [container], restartPolicy: 'Sometimes' } })
  // @ts-expect-error another kind
  await pods.create({ kind: 'Job', metadata: { name: 'web' }, spec: { containers: [container] } })
  await client.of('v1', 'ConfigMap').create({ metadata: { name: 'settings' } })
  // @ts-expect-error a Deployment without a selector
  await client.of('apps/v1', 'Deployment').create({ metadata: { name: 'web' }, spec: { template } })

  // what was read can be written
  await pods.update(pod)
  await pods.update({ ...pod, spec: { ...pod.spec, activeDeadlineSeconds: 10 } })
  // @ts-expect-error without a name
  await pods.update({ metadata: { generateName: 'web-' }, spec: { containers: [container] } })

  await pods.patch('web', { metadata: { labels: { app: null } } })
  await pods.patch('web', { spec: { activeDeadlineSeconds: null } }, { dryRun: true })
  await pods.patch('web', [{ op: 'remove', path: '/spec/activeDeadlineSeconds' }])
  await pods.patch('web', [{ op: 'remove', path: '/spec/activeDeadlineSeconds' }], { type: 'json' })
  await pods.patch('web', { spec: { containers: [{ name: 'web', $patch: 'delete' }] } }, { type: 'strategic' })
  // @ts-expect-error no field of Pods
  await pods.patch('web', { spec: { containerz: [] } })
  // @ts-expect-error labels are texts
  await pods.patch('web', { metadata: { labels: { app: 1 } } })
  // @ts-expect-error a merge patch replaces lists, whose items have to be whole
  await pods.patch('web', { spec: { containers: [{ name: 'web' }] } })
  // @ts-expect-error a list of operations
  await pods.patch('web', { spec: {} }, { type: 'json' })

  await pods.apply({ metadata: { name: 'web' }, spec: { containers: [{ name: 'web', tty: true }] } })
  // @ts-expect-error without what tells containers apart
  await pods.apply({ metadata: { name: 'web' }, spec: { containers: [{ tty: true }] } })
  // @ts-expect-error without a name
  await pods.apply({ spec: { activeDeadlineSeconds: 3 } })
  const draft: Draft<Pod> = { spec: { containers: [{ tty: true }] } }
  void draft
}

export async function subresources(client: KubeClient): Promise<void> {
  const pods = client.of('v1', 'Pod')
  is<Equal<Awaited<ReturnType<ReturnType<typeof pods.subresource<'log'>>['get']>>, string>>()
  await pods.subresource('eviction').create('web', { metadata: { name: 'web' } })
  await pods.subresource('status').patch('web', { status: { phase: 'Running' } })
  await pods.subresource('resize').get('web')
  await pods.subresource('ephemeralcontainers').get('web')
  // @ts-expect-error a typo
  pods.subresource('logz')
  // @ts-expect-error of Deployments
  pods.subresource('scale')
  const scales = client.of('apps/v1', 'Deployment').subresource('scale')
  await scales.patch('web', { spec: { replicas: 3 } })
  // @ts-expect-error a number
  await scales.patch('web', { spec: { replicas: '3' } })
  const tokens = client.of('v1', 'ServiceAccount').subresource('token')
  const { status } = await tokens.create('builder', { spec: { audiences: ['a'] } })
  is<Equal<typeof status.token, string>>()
  await client.of('certificates.k8s.io/v1', 'CertificateSigningRequest').subresource('approval').get('a')
  // @ts-expect-error without subresources
  client.of('v1', 'ConfigMap').subresource('status')
}

/** Functions that take the client of a kind. */
export async function passedOn(client: KubeClient): Promise<void> {
  const pods: ResourceClient<Pod> = client.of('v1', 'Pod')
  const nameOf = async <T extends { metadata: { name: string } }>(resource: ResourceClient<T>): Promise<string> =>
    (await resource.get('web')).metadata.name
  is<Equal<Awaited<ReturnType<typeof nameOf>>, string>>()
  await nameOf(pods)
  await nameOf(client.untyped('example.com/v1', 'Widget'))
}

/** Of all kinds: what the server answers can be sent again. */
type Fits<Types> = Types extends { object: infer T; create: infer Create } ? (T extends Create ? true : false) : false
type Misfits = {
  [V in keyof BuiltinClients]: {
    [K in keyof BuiltinClients[V]]: Fits<BuiltinClients[V][K]> extends true ? never : K
  }[keyof BuiltinClients[V]]
}[keyof BuiltinClients]
is<Equal<Misfits, never>>()

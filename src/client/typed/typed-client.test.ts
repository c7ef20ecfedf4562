/** What the types say about built-in kinds is what the server does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { StatusError } from '../../apimachinery/status/status.js'
import { portless } from '../testing/portless.js'
import type { BuiltinClients, KubeClient } from '../types.js'
import { until } from '../until.js'

const metadata = { name: 'web' }
const labels = { app: 'web' }
const selector = { matchLabels: labels }
const container = { name: 'web', image: 'nginx', ports: [{ containerPort: 80 }], livenessProbe: { tcpSocket: { port: 80 } } }
const podSpec = { containers: [container] }
const template = { metadata: { labels }, spec: { ...podSpec, restartPolicy: 'Always' as const } }
const once = { spec: { ...podSpec, restartPolicy: 'Never' as const } }

/** Asserts that what its type has is there. */
const there = (...values: readonly (string | number | boolean | object)[]) => assert.ok(!values.includes(undefined as never))

describe('typed clients', () => {
  test('what the types say is always there is there', async t => {
    const client = (await portless(t)).client()
    const pod = await client.of('v1', 'Pod').create({ metadata, spec: podSpec })
    there(pod.kind, pod.apiVersion, pod.metadata.uid, pod.metadata.namespace, pod.metadata.creationTimestamp)
    const { spec, status } = pod
    there(spec.restartPolicy, spec.dnsPolicy, spec.terminationGracePeriodSeconds, spec.schedulerName, spec.securityContext)
    there(status.phase, status.qosClass)
    const [first] = spec.containers
    there(first!.imagePullPolicy, first!.terminationMessagePath, first!.terminationMessagePolicy, first!.resources)
    there(first!.ports![0]!.protocol)
    const probe = first!.livenessProbe!
    there(probe.timeoutSeconds, probe.periodSeconds, probe.successThreshold, probe.failureThreshold)
    const service = await client.of('v1', 'Service').create({ metadata, spec: { ports: [{ port: 80 }] } })
    there(service.spec.type, service.spec.sessionAffinity, service.spec.ports![0]!.protocol, service.status)
    there(
      (await client.of('v1', 'Secret').create({ metadata })).type,
      (await client.of('v1', 'Namespace').get('default')).status.phase
    )
    const volume = await client.of('v1', 'PersistentVolume').create({
      metadata,
      spec: { capacity: { storage: 1 }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } }
    })
    there(volume.spec.persistentVolumeReclaimPolicy, volume.spec.volumeMode, volume.spec.capacity, volume.spec.accessModes)
    there(volume.status.phase)
    const deployment = (await client.of('apps/v1', 'Deployment').create({ metadata, spec: { selector, template } })).spec
    there(deployment.replicas, deployment.revisionHistoryLimit, deployment.progressDeadlineSeconds, deployment.strategy.type)
    there((await client.of('apps/v1', 'ReplicaSet').create({ metadata, spec: { selector, template } })).spec.replicas)
    const set = (await client.of('apps/v1', 'StatefulSet').create({ metadata, spec: { selector, template } })).spec
    there(set.replicas, set.podManagementPolicy, set.revisionHistoryLimit, set.updateStrategy.type)
    const daemons = (await client.of('apps/v1', 'DaemonSet').create({ metadata, spec: { selector, template } })).spec
    there(daemons.revisionHistoryLimit, daemons.updateStrategy.type)
    there((await client.of('v1', 'ReplicationController').create({ metadata, spec: { template } })).spec.replicas)
    const schedule = '0 0 * * *'
    const cron = (
      await client.of('batch/v1', 'CronJob').create({ metadata, spec: { schedule, jobTemplate: { spec: { template: once } } } })
    ).spec
    there(cron.concurrencyPolicy, cron.suspend, cron.successfulJobsHistoryLimit, cron.failedJobsHistoryLimit)
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }
    const scaler = await client
      .of('autoscaling/v2', 'HorizontalPodAutoscaler')
      .create({ metadata, spec: { scaleTargetRef, maxReplicas: 3 } })
    there(scaler.spec.minReplicas)
    const policy = await client.of('networking.k8s.io/v1', 'NetworkPolicy').create({ metadata, spec: { podSelector: {} } })
    there(policy.spec.policyTypes)
    const storage = await client.of('storage.k8s.io/v1', 'StorageClass').create({ metadata, provisioner: 'example.com/disk' })
    there(storage.reclaimPolicy, storage.volumeBindingMode)
    // what Go writes as null
    assert.equal((await client.of('rbac.authorization.k8s.io/v1', 'Role').create({ metadata })).rules, null)
  })

  test('the subresource that is a text is one', async t => {
    const client = (await portless(t, { simulate: { nodes: 1 } })).client()
    const pods = client.of('v1', 'Pod')
    const pod = await pods.create({ metadata, spec: podSpec })
    await until(client, pod, ({ status }) => status.phase === 'Running', { timeout: 20_000 })
    assert.equal(typeof (await pods.subresource('log').get('web')), 'string')
  })

  test('what the types want is what the server wants', async t => {
    const client = (await portless(t)).client()
    type Kinds = BuiltinClients
    const draft = <V extends keyof Kinds, K extends keyof Kinds[V] & string>(
      apiVersion: V,
      kind: K,
      object: Kinds[V][K] extends { create: infer Create } ? Create : never,
      ...paths: readonly string[]
    ) => ({ apiVersion, kind, object: object as object, paths })
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'web' }
    const drafts = [
      draft(
        'v1',
        'Pod',
        { metadata, spec: podSpec },
        'metadata.name',
        'spec.containers',
        'spec.containers.0.name',
        'spec.containers.0.image'
      ),
      draft(
        'apps/v1',
        'Deployment',
        { metadata, spec: { selector, template } },
        'spec',
        'spec.selector',
        'spec.template',
        'spec.template.spec.containers'
      ),
      draft('apps/v1', 'StatefulSet', { metadata, spec: { selector, template } }, 'spec.selector', 'spec.template'),
      draft('apps/v1', 'DaemonSet', { metadata, spec: { selector, template } }, 'spec.selector', 'spec.template'),
      draft('batch/v1', 'Job', { metadata, spec: { template: once } }, 'spec.template'),
      draft('v1', 'Service', { metadata, spec: { ports: [{ port: 80 }] } }, 'spec.ports.0.port'),
      draft(
        'v1',
        'PersistentVolumeClaim',
        { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        'spec.accessModes',
        'spec.resources'
      ),
      draft('rbac.authorization.k8s.io/v1', 'Role', { metadata, rules }, 'rules.0.verbs'),
      draft('rbac.authorization.k8s.io/v1', 'RoleBinding', { metadata, roleRef }, 'roleRef', 'roleRef.kind', 'roleRef.name'),
      draft('networking.k8s.io/v1', 'NetworkPolicy', { metadata, spec: { podSelector: {} } }),
      draft('coordination.k8s.io/v1', 'Lease', { metadata }, 'metadata.name'),
      draft('v1', 'ConfigMap', { metadata }, 'metadata.name'),
      draft('storage.k8s.io/v1', 'StorageClass', { metadata, provisioner: 'example.com/disk' }, 'provisioner'),
      draft('scheduling.k8s.io/v1', 'PriorityClass', { metadata, value: 3 })
    ]
    for (const { apiVersion, kind, object, paths } of drafts) {
      await create(client, apiVersion, kind, object)
      for (const path of paths) {
        const less = without(object, path.split('.'))
        await assert.rejects(create(client, apiVersion, kind, less), StatusError, `${kind} without ${path}`)
      }
    }
  })
})

const create = (client: KubeClient, apiVersion: string, kind: string, object: object) =>
  client.untyped(apiVersion, kind).create(object as never, { dryRun: true })

/** A copy of the value without what is at the path. */
function without(value: unknown, [first, ...rest]: readonly string[]): object {
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) }
  if (rest.length === 0) delete copy[first!]
  else copy[first!] = without(copy[first!], rest)
  return copy
}

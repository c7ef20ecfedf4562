/** How many Pods the controllers of Pods want: the whole of which a budget's percentages are parts. */
import type { Deployment, ReplicaSet, StatefulSet } from '../../apimachinery/api/generated/apps-v1.js'
import type { Pod, ReplicationController } from '../../apimachinery/api/generated/core-v1.js'
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Informer, KubeClient, SharedInformers } from '../../client/stored-types.js'
import { controllerOf } from '../workloads/owners.js'

export interface ExpectedScale {
  readonly count: number
  /** Whether nobody controls some of the Pods: nobody says how many of those there should be. */
  readonly hasUnmanaged: boolean
}

type Workload = KubeObject & { readonly spec: { readonly replicas?: number | undefined } }
interface Scale {
  readonly uid: string
  readonly replicas: number
}

/** Returns what finds the scale of Pods. It rejects when one of their controllers has none. */
export function expectedScales(informers: SharedInformers, client: KubeClient): (pods: readonly Pod[]) => Promise<ExpectedScale> {
  const controllers: Informer<ReplicationController> = informers.of('v1', 'ReplicationController')
  const replicaSets: Informer<ReplicaSet> = informers.of('apps/v1', 'ReplicaSet')
  const deployments: Informer<Deployment> = informers.of('apps/v1', 'Deployment')
  const statefulSets: Informer<StatefulSet> = informers.of('apps/v1', 'StatefulSet')

  return async pods => {
    const scales = new Map<string, number>()
    const asked = new Set<string>()
    let hasUnmanaged = false
    for (const pod of pods) {
      const owner = controllerOf(pod)
      if (!owner) hasUnmanaged = true
      if (!owner || asked.has(owner.uid)) continue
      asked.add(owner.uid)
      const namespace = pod.metadata.namespace!
      const scale = known(owner, namespace) ?? (await asking(client, owner, namespace))
      if (!scale) throw new Error(`found no controllers for pod "${pod.metadata.name}"`)
      scales.set(scale.uid, scale.replicas)
    }
    return { count: [...scales.values()].reduce((sum, count) => sum + count, 0), hasUnmanaged }
  }

  function known(owner: OwnerReference, namespace: string): Scale | undefined {
    const found = <T extends Workload>(informer: Informer<T>, name: string, uid: string): T | undefined => {
      const object = informer.get({ metadata: { namespace, name } })
      return object?.metadata.uid === uid ? object : undefined
    }
    switch (`${groupOf(owner.apiVersion)} ${owner.kind}`) {
      case ' ReplicationController':
        return scaleOf(found(controllers as Informer<ReplicationController & Workload>, owner.name, owner.uid))
      case 'apps StatefulSet':
        return scaleOf(found(statefulSets as Informer<StatefulSet & Workload>, owner.name, owner.uid))
      case 'apps ReplicaSet': {
        const set = found(replicaSets as Informer<ReplicaSet & Workload>, owner.name, owner.uid)
        const parent = set && controllerOf(set)
        if (parent?.kind !== 'Deployment') return scaleOf(set)
        return scaleOf(found(deployments as Informer<Deployment & Workload>, parent.name, parent.uid))
      }
    }
    return undefined
  }
}

const groupOf = (apiVersion: string) => (apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '')

const scaleOf = (workload: Workload | undefined): Scale | undefined =>
  workload && { uid: workload.metadata.uid!, replicas: workload.spec.replicas ?? 1 }

/** Asks for the scale of an owner of any kind. */
async function asking(client: KubeClient, owner: OwnerReference, namespace: string): Promise<Scale | undefined> {
  const { apiVersion, kind, name, uid } = owner
  const { status, body } = await client.request({ url: `/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}` })
  const resources: readonly { name: string; kind: string }[] = status === 200 ? JSON.parse(body.toString()).resources : []
  const resource = resources.find(one => one.kind === kind && !one.name.includes('/'))
  if (!resource) throw new Error(`no matches for kind "${kind}" in version "${apiVersion}"`)
  if (!resources.some(one => one.name === `${resource.name}/scale` && one.kind === 'Scale')) {
    const group = groupOf(apiVersion)
    throw new Error(`${resource.name}${group ? `.${group}` : ''} does not implement the scale subresource`)
  }
  try {
    const scale = await client.of(apiVersion, kind).subresource('scale').get({ metadata: { name, namespace } })
    return scale.metadata.uid === uid ? { uid, replicas: scale.spec?.replicas ?? 0 } : undefined
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined
    throw error
  }
}

/** The templates that a StatefulSet or DaemonSet has had, as ControllerRevisions. */
import type { ControllerRevision } from '../../apimachinery/api/generated/apps-v1.js'
import type { PodTemplateSpec } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer, KubeClient, ResourceClient } from '../../client/stored-types.js'
import { sortedJson } from '../../util/sorted-json.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { candidates, claim, controllerReference } from './owners.js'
import { safeEncoded } from './template-hash.js'

export type Revision = ControllerRevision & KubeObject

/** A patch that brings a template back. Its keys are sorted, as Go writes maps: in another order, every patch would be a change of the data. */
export const templatePatch = (template: PodTemplateSpec): Record<string, unknown> =>
  JSON.parse(sortedJson({ spec: { template: { ...template, $patch: 'replace' } } }))

/** The template that a revision keeps. */
export function templateIn({ data }: Pick<ControllerRevision, 'data'>): PodTemplateSpec | undefined {
  const { template } = (data.spec ?? {}) as { template?: PodTemplateSpec & { $patch?: string } }
  if (!template) return undefined
  const { $patch: _, ...rest } = template
  return rest
}

export const isSameData = (a: ControllerRevision['data'], b: ControllerRevision['data']): boolean =>
  sortedJson(a) === sortedJson(b)

const created = ({ metadata }: Revision) => Date.parse(metadata.creationTimestamp ?? '')

export const byRevision = (a: Revision, b: Revision): number =>
  a.revision - b.revision || created(a) - created(b) || (a.metadata.name! < b.metadata.name! ? -1 : 1)

/** FNV-1 in 32 bits, over the JSON that Go makes of the data. */
export function dataHash(data: ControllerRevision['data'], collisionCount: number): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(`${sortedJson(data)}${collisionCount}`)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0
  return safeEncoded(hash)
}

/** The longest prefix of a revision's name. */
const longestPrefix = 223

export const revisionName = (owner: string, hash: string): string => `${owner.slice(0, longestPrefix)}-${hash}`

export class ControllerHistory {
  readonly #client: ResourceClient<Revision>
  readonly #informer: Informer<Revision>
  readonly #candidates: (owner: KubeObject) => Revision[]
  /** The uids of revisions whose deletion the informer has not seen yet. */
  readonly #deleted = new Set<string>()

  constructor(client: KubeClient, { informers }: ClusterContext) {
    this.#client = client.of('apps/v1', 'ControllerRevision')
    this.#informer = informers.of('apps/v1', 'ControllerRevision') as Informer<Revision>
    this.#candidates = candidates(this.#informer)
    this.#informer.on('delete', ({ metadata }) => this.#deleted.delete(metadata.uid!))
  }

  /** The revisions of an owner, the oldest first, with orphans that it adopts. */
  async list(owner: KubeObject, matches: (revision: Revision) => boolean, fresh: () => Promise<KubeObject | undefined>) {
    const present = this.#candidates(owner).filter(({ metadata }) => !this.#deleted.has(metadata.uid!))
    const claimed = await claim(present.filter(matches), {
      owner,
      matches,
      client: this.#client,
      informer: this.#informer,
      fresh
    })
    return claimed.sort(byRevision)
  }

  /** Creates a revision, or finds it. Rejects with AlreadyExists where another has its name. */
  async create(draft: Draft<Revision>): Promise<Revision> {
    try {
      const revision = await this.#client.create(draft)
      this.#informer.learn(revision)
      return revision
    } catch (error) {
      if (!(error instanceof StatusError) || error.status.reason !== 'AlreadyExists') throw error
      const { name, namespace } = draft.metadata!
      const present = await this.#client.get({ metadata: { name: name!, namespace } })
      if (!isSameData(present.data, draft.data as Record<string, unknown>)) throw error
      this.#informer.learn(present)
      return present
    }
  }

  async renumber(revision: Revision, number: number): Promise<Revision> {
    if (revision.revision === number) return revision
    const updated = await this.#client.update({ ...revision, revision: number } as Draft<Revision>)
    this.#informer.learn(updated)
    return updated
  }

  async relabel(revision: Revision, labels: Readonly<Record<string, string>>): Promise<Revision> {
    const metadata = { ...revision.metadata, labels: { ...revision.metadata.labels, ...labels } }
    const updated = await this.#client.update({ ...revision, metadata } as Draft<Revision>)
    this.#informer.learn(updated)
    return updated
  }

  async delete(revision: Revision): Promise<void> {
    this.#deleted.add(revision.metadata.uid!)
    try {
      await this.#client.delete(revision)
    } catch (error) {
      this.#deleted.delete(revision.metadata.uid!)
      throw error
    }
  }
}

/** What all revisions of an owner have. */
export const revisionOf = (
  owner: KubeObject,
  template: PodTemplateSpec,
  { name, labels, revision }: { name: string; labels: Readonly<Record<string, string>>; revision: number }
): Draft<Revision> => ({
  metadata: {
    name,
    namespace: owner.metadata.namespace,
    labels: { ...template.metadata?.labels, ...labels },
    annotations: owner.metadata.annotations,
    ownerReferences: [controllerReference(owner)]
  },
  data: templatePatch(template),
  revision
})

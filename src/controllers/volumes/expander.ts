/** Says of claims that are to grow who has to let them: no kind of volume is expanded by kube-controller-manager itself any more. */
import type { PersistentVolume, PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { compareQuantities } from '../../util/quantity.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'

type Claim = PersistentVolumeClaim & KubeObject

const requestOf = ({ spec }: Claim) => spec.resources?.requests?.storage ?? '0'
const capacityOf = ({ status }: Claim) => status.capacity?.storage ?? '0'

export function volumeExpander(context: ClusterContext): Part {
  const client = context.clientOf('expand-controller')
  const claims: Informer<Claim> = context.informers.of('v1', 'PersistentVolumeClaim')
  const volumes: Informer<PersistentVolume> = context.informers.of('v1', 'PersistentVolume')
  const events = context.recorder('volume_expand', client)
  const queue = context.queue({ name: 'volume_expand', workers: 4, reconcile })
  const changed = (claim: Claim) => claim.status.phase === 'Bound' && queue.enqueue(keyOf(claim))
  claims.on('add', changed)
  claims.on('update', (claim, old) => {
    const isLarger =
      compareQuantities(requestOf(claim), requestOf(old)) > 0 || compareQuantities(capacityOf(claim), capacityOf(old)) > 0
    if (isLarger) changed(claim)
  })
  return queue

  async function reconcile(key: string): Promise<void> {
    const claim = claims.get(namedBy(key))
    const volume = claim && volumes.get(claim.spec.volumeName ?? '')
    if (!claim || volume?.spec.claimRef?.uid !== claim.metadata.uid) return
    if (compareQuantities(requestOf(claim), capacityOf(claim)) > 0)
      events.normal(claim, 'ExternalExpanding', 'waiting for an external controller to expand this PVC')
  }
}

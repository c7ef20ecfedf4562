import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Periodic } from '../periodic.js'
import { isCandidateExpired } from './candidates.js'

const periodMs = 30 * 60_000

/** Deletes LeaseCandidates that nobody renews. */
export function candidateCollector({ registry, clock }: Services, client: Client, log: Logger): Part {
  const candidates = registry.of(refs.leaseCandidates)
  return new Periodic({
    name: 'collector of LeaseCandidates',
    async work() {
      await candidates.cache.load()
      for (const candidate of candidates.list()) {
        if (!isCandidateExpired(candidate, clock.now())) continue
        const { namespace, name, uid, resourceVersion } = candidate.metadata
        const deleted = client.delete(candidates, namespace!, name!, { preconditions: { uid, resourceVersion } })
        // a candidate that was renewed meanwhile stays, and one failure must not keep the others
        await deleted.catch(error => log.warn(`the LeaseCandidate ${namespace}/${name} could not be deleted: ${error.message}`))
      }
      return periodMs
    },
    retryMs: periodMs,
    clock,
    log
  })
}

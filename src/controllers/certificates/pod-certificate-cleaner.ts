/** Deletes PodCertificateRequests a while after their creation, when every Pod has its certificate or will not get it. */
import * as refs from '../../api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'

const minute = 60 * 1000
const lifetimeMs = 15 * minute
const intervalMs = 5 * minute

export function podCertificateCleaner({ registry, clock, queues }: Services, client: Client, log: Logger): Part {
  const requests = registry.of(refs.podCertificateRequests)
  const controller = new Controller({
    name: 'podcertificaterequestcleaner',
    watches: [],
    clock,
    queues,
    log,
    async reconcile(_key, signal) {
      await requests.cache.load()
      for (const cached of [...requests.cache.range('')]) {
        if (signal.aborted) break
        const { namespace = '', uid, creationTimestamp } = requests.parse(cached).metadata
        if (clock.now() >= Date.parse(creationTimestamp ?? '') + lifetimeMs)
          await client.delete(requests, namespace, cached.name, { preconditions: { uid } })
      }
      return intervalMs
    }
  })
  return {
    name: controller.name,
    async start() {
      await controller.start()
      controller.enqueue('all')
    },
    stop: () => controller.stop()
  }
}

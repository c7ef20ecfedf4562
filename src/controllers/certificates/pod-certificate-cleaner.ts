/** Deletes PodCertificateRequests a while after their creation, when every Pod has its certificate or will not get it. */
import type { PodCertificateRequest } from '../../apimachinery/api/generated/certificates-v1beta1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { sweep } from '../sweep.js'

const minute = 60 * 1000
const lifetimeMs = 15 * minute
const intervalMs = 5 * minute

export function podCertificateCleaner(services: Services, client: Client, log: Logger): Part {
  const { registry, clock } = services
  const resource = registry.of(refs.podCertificateRequests)
  const clean = async ({ metadata }: PodCertificateRequest) => {
    const { namespace = '', name = '', uid, creationTimestamp } = metadata
    if (clock.now() >= Date.parse(creationTimestamp ?? '') + lifetimeMs)
      await client.delete(resource, namespace, name, { preconditions: { uid } })
  }
  return sweep(services, log, { name: 'podcertificaterequestcleaner', resource, interval: intervalMs, begin: () => clean })
}

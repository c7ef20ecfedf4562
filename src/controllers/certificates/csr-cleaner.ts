/** Deletes CertificateSigningRequests that have served their purpose or were never decided. */

import { X509Certificate } from 'node:crypto'
import type { CertificateSigningRequest } from '../../api/generated/certificates-v1.js'
import * as refs from '../../api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { Controller } from '../controller.js'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Checks all requests every hour, so that clients can read a decision for a while even if its time lies far in the past. */
export function signingRequestCleaner({ registry, clock, queues }: Services, client: Client, log: Logger): Part {
  const requests = registry.of(refs.certificateSigningRequests)
  const controller = new Controller({
    name: 'csrcleaner',
    watches: [],
    clock,
    queues,
    log,
    async reconcile(_key, signal) {
      await requests.cache.load()
      for (const cached of [...requests.cache.range('')]) {
        if (signal.aborted) break
        const request: CertificateSigningRequest = requests.parse(cached)
        const { uid, deletionTimestamp } = request.metadata
        if (deletionTimestamp == null && clock.now() > deadline(request))
          await client.delete(requests, '', cached.name, { preconditions: { uid } })
      }
      return hour
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

/** Returns the time (milliseconds since 1970) after which the request is deleted. */
export function deadline({ metadata, status }: CertificateSigningRequest): number {
  const { conditions = [], certificate } = status
  if (conditions.length === 0) return after(metadata.creationTimestamp, day)
  let first = Number.POSITIVE_INFINITY
  for (const { type, lastUpdateTime } of conditions) {
    if (type === 'Denied' || type === 'Failed') first = Math.min(first, after(lastUpdateTime, hour))
    if (type !== 'Approved') continue
    first = Math.min(first, after(lastUpdateTime, certificate ? hour : day), certificate ? expiry(certificate) : first)
  }
  return first
}

const after = (time: string | null | undefined, milliseconds: number): number =>
  time == null ? Number.POSITIVE_INFINITY : Date.parse(time) + milliseconds

/** Returns infinity when the text is no certificate. */
function expiry(certificate: string): number {
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

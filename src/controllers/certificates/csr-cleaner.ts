/** Deletes CertificateSigningRequests that have served their purpose or were never decided. */

import { X509Certificate } from 'node:crypto'
import type { CertificateSigningRequest } from '../../apimachinery/api/generated/certificates-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { sweep } from '../sweep.js'

const hour = 60 * 60 * 1000
const day = 24 * hour

/** Checks all requests every hour, so that clients can read a decision for a while even if its time lies far in the past. */
export function signingRequestCleaner(services: Services, client: Client, log: Logger): Part {
  const { registry, clock } = services
  const resource = registry.of(refs.certificateSigningRequests)
  const clean = async (request: CertificateSigningRequest) => {
    const { name = '', uid, deletionTimestamp } = request.metadata
    if (deletionTimestamp == null && clock.now() > deadline(request))
      await client.delete(resource, '', name, { preconditions: { uid } })
  }
  return sweep(services, log, { name: 'csrcleaner', resource, interval: hour, begin: () => clean })
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

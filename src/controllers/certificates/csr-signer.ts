/** Issues certificates for approved CertificateSigningRequests to Kubernetes' own signers, from the server's own authority. */

import type { CertificateSigningRequest } from '../../apimachinery/api/generated/certificates-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { parseRequest } from '../../kinds/certificates/request.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import { toPem } from '../../transport/certificates/issue.js'
import { parsedCertificate } from '../../transport/certificates/parsed.js'
import type { Pki } from '../../transport/certificates/pki.js'
import { signRequest } from '../../transport/certificates/sign-request.js'
import type { Logger } from '../../util/logger.js'
import { timestamp } from '../../util/time.js'
import { Controller } from '../controller.js'
import { signers } from './csr-signers.js'

const minute = 60 * 1000
const hour = 60 * minute
const backdating = 5 * minute
const longestLifetime = 365 * 24 * hour
const shortestLifetime = 10 * minute
/** Lifetimes shorter than this are granted in full; longer ones are shortened by the backdating. */
const shortLifetime = 8 * hour

export function signingRequestSigner(
  { registry, clock, queues }: Services,
  client: Client,
  authority: Pki['ca'],
  log: Logger
): Controller {
  const requests = registry.of(refs.certificateSigningRequests)
  const certificate = parsedCertificate(authority.certificate)
  const issuer = { key: authority.key, certificate: certificate.raw }
  const issuerEnds = Date.parse(certificate.validTo)

  /** Returns the certificate or the reason for refusing it; undefined for requests that need nothing from this controller. */
  const outcome = ({ spec, status }: CertificateSigningRequest): { certificate: string } | { problem: string } | undefined => {
    const demand = signers.get(spec.signerName)
    if (!demand || status.certificate || !isApproved(status) || hasFailed(status)) return undefined
    const { usages = [] } = spec
    const request = parseRequest(spec.request)
    const problem = demand(request, usages)
    if (problem !== undefined) return { problem }
    const now = clock.now()
    if (now >= issuerEnds) throw new Error(`the authority has expired on ${certificate.validTo}`)
    const notAfter = Math.min(issuerEnds, now + grantedLifetime(spec.expirationSeconds))
    const pem = toPem(signRequest(request, { usages, notBefore: now - backdating, notAfter }, issuer))
    return { certificate: Buffer.from(pem).toString('base64') }
  }

  return new Controller({
    name: 'csrsigning',
    watches: [{ resource: requests, keyOf: key => key }],
    clock,
    queues,
    log,
    async reconcile(key) {
      const cached = requests.cache.get(key)
      const result = cached && outcome(requests.parse(cached))
      if (!result) return
      const write = (object: CertificateSigningRequest) => {
        // the write must conflict if the request was denied or replaced by a namesake in the meantime
        object.metadata.resourceVersion = String(cached.revision)
        if ('certificate' in result) object.status.certificate = result.certificate
        else object.status.conditions = [...(object.status.conditions ?? []), failure(result.problem, clock.now())]
      }
      await client.update(requests, '', cached.name, write, 'status')
    }
  })
}

const isApproved = ({ conditions = [] }: CertificateSigningRequest['status']): boolean =>
  conditions.some(c => c.type === 'Approved') && !conditions.some(c => c.type === 'Denied')

const hasFailed = ({ conditions = [] }: CertificateSigningRequest['status']): boolean =>
  conditions.some(c => c.type === 'Failed' && (c.status === '' || c.status === 'True'))

/** Returns the milliseconds from now until the certificate expires. */
function grantedLifetime(expirationSeconds: number | undefined): number {
  const wanted = expirationSeconds === undefined ? longestLifetime : expirationSeconds * 1000
  const granted = Math.max(shortestLifetime, Math.min(longestLifetime, wanted))
  return granted < shortLifetime ? granted : granted - backdating
}

const failure = (message: string, now: number) => ({
  type: 'Failed',
  status: 'True',
  reason: 'SignerValidationFailure',
  message,
  lastUpdateTime: timestamp(now),
  lastTransitionTime: null
})

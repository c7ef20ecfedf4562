/** Approves CertificateSigningRequests for kubelet client certificates when RBAC permits the requester automatic approval. */

import type { CertificateSigningRequest } from '../../apimachinery/api/generated/certificates-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { aboutResource } from '../../apimachinery/request/authorization.js'
import { parseRequest, requestedName } from '../../kinds/certificates/request.js'
import type { Client } from '../../registry/client.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import { Controller } from '../controller.js'
import { kubeletClient, kubeletClientSigner } from './csr-signers.js'

const firstRetryMs = 200
const lastRetryMs = 1_000_000

const selfPermission = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.'
}
const permission = { subresource: 'nodeclient', message: 'Auto approving kubelet client certificate after SubjectAccessReview.' }

export function signingRequestApprover(
  { registry, clock, queues, authorizer }: Services,
  client: Client,
  log: Logger
): Controller {
  const requests = registry.of(refs.certificateSigningRequests)

  /** Returns the message of the first permission that the requester has. */
  const approval = async ({ spec }: CertificateSigningRequest, permissions: readonly (typeof permission)[]) => {
    const user = { name: spec.username ?? '', uid: spec.uid, groups: spec.groups ?? [], extra: spec.extra }
    const what = { user, verb: 'create', group: 'certificates.k8s.io', resource: 'certificatesigningrequests' }
    for (const { subresource, message } of permissions)
      if ((await authorizer.authorize(aboutResource({ ...what, subresource }))).allowed) return message
    return undefined
  }

  return new Controller({
    name: 'csrapproving',
    watches: [{ resource: requests, keyOf: key => key }],
    clock,
    queues,
    log,
    async reconcile(key) {
      const cached = requests.cache.get(key)
      const request: CertificateSigningRequest | undefined = cached && requests.parse(cached)
      if (!request || isDecided(request)) return undefined
      const permissions = permissionsFor(request)
      if (permissions.length === 0) return undefined
      const message = await approval(request, permissions)
      if (message === undefined) return untilNextTry(request, clock.now())
      const approve = (object: CertificateSigningRequest) => {
        // the write must conflict if the request was denied or replaced by a namesake in the meantime
        object.metadata.resourceVersion = String(cached!.revision)
        const times = { lastUpdateTime: null, lastTransitionTime: null }
        const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message, ...times }
        object.status.conditions = [...(object.status.conditions ?? []), condition]
      }
      await client.update(requests, '', cached!.name, approve, 'approval')
      return undefined
    }
  })
}

const isDecided = ({ status: { certificate, conditions = [] } }: CertificateSigningRequest): boolean =>
  Boolean(certificate) || conditions.some(({ type }) => type === 'Approved' || type === 'Denied')

function permissionsFor({ spec }: CertificateSigningRequest): (typeof permission)[] {
  if (spec.signerName !== kubeletClientSigner) return []
  if (kubeletClient(parseRequest(spec.request), spec.usages ?? []) !== undefined) return []
  return requestedName(spec.request) === spec.username ? [selfPermission, permission] : [permission]
}

/**
 * Returns how long to wait for a permission that may be granted later. A wait as long as the request's age doubles with every try
 * and needs no state.
 */
function untilNextTry({ metadata }: CertificateSigningRequest, now: number): number {
  const age = now - Date.parse(metadata.creationTimestamp ?? '')
  return Math.max(firstRetryMs, Math.min(lastRetryMs, age || 0))
}

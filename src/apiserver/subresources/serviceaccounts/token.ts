/** TokenRequest: tokens of service accounts (https://kubernetes.io/docs/reference/kubernetes-api/authentication-resources/token-request-v1/). */

import type { BoundObjectReference, TokenRequest } from '../../../apimachinery/api/generated/authentication-v1.js'
import type { Pod, ServiceAccount } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { badRequest, conflict, internalError, notFound } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { checkKeyName } from '../../../registry/key-name.js'
import { type BoundObjects, extensibleSeconds } from '../../../registry/tokens/service-account-tokens.js'
import type { Operation } from '../../../registry/write/operation.js'
import { goQuote } from '../../../util/go-format.js'
import { timestamp } from '../../../util/time.js'
import type { Implementation, SubresourceRequest } from '../implementation.js'
import { findWebhook, isWebhookReference, maxWebhookTokenSeconds, validateAttestations } from './webhook-token.js'

const minSeconds = 600
const maxSeconds = 2 ** 32
const defaultSeconds = 3600

const groupKind = { group: 'authentication.k8s.io', kind: 'TokenRequest' }

export const serviceAccountToken: Implementation = {
  default({ spec }: TokenRequest) {
    spec.expirationSeconds ??= defaultSeconds
  },
  async create(request, body: TokenRequest) {
    const { resource, namespace, name, operation } = request
    const { tokens, apiAudiences } = operation.services
    validateName(body, name)
    const found = resource.get(namespace, name)
    if (!found) throw notFound({ group: '', resource: 'serviceaccounts' }, name)
    const account: ServiceAccount = resource.parse(found)
    const { spec } = body
    if (!spec.audiences?.length) spec.audiences = [...apiAudiences]
    const uid = checkUid(body, account, operation)
    validate(body)
    const identity = { ...body.metadata, name, namespace, uid, creationTimestamp: timestamp(operation.now) }
    await request.validateAdmission({ ...body, metadata: identity })
    const ref = spec.boundObjectRef
    const isForWebhook = ref != null && isWebhookReference(ref)
    const bound = isForWebhook ? await findWebhook(ref, spec, request, account) : findBound(ref, request, account)
    if (isForWebhook) spec.expirationSeconds = Math.min(spec.expirationSeconds!, maxWebhookTokenSeconds)
    const id = operation.services.random.uuid()
    const { maxSeconds, extendedSeconds } = tokens.lifetimes
    let seconds = spec.expirationSeconds!
    if (maxSeconds > 0 && seconds > maxSeconds) {
      operation.warn(`requested expiration of ${seconds} seconds shortened to ${maxSeconds} seconds`)
      spec.expirationSeconds = seconds = maxSeconds
    }
    const isExtended =
      extendedSeconds > 0 &&
      bound.pod &&
      seconds === extensibleSeconds &&
      spec.audiences.every(audience => apiAudiences.includes(audience))
    const token = await tokens
      .issue({
        account,
        audiences: spec.audiences,
        seconds: isExtended ? extendedSeconds : seconds,
        warnAfter: isExtended ? seconds : undefined,
        bound,
        attestations: spec.attestations,
        now: operation.now,
        id
      })
      .catch(error => {
        throw internalError(`failed to generate token: ${(error as Error).message}`)
      })
    operation.origin.record?.annotate('authentication.kubernetes.io/issued-credential-id', `JTI=${id}`)
    return {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: identity,
      spec: {
        audiences: spec.audiences,
        expirationSeconds: spec.expirationSeconds,
        boundObjectRef: ref ?? null,
        ...(spec.attestations && Object.keys(spec.attestations).length > 0 ? { attestations: spec.attestations } : {})
      },
      status: { token, expirationTimestamp: timestamp(operation.now + seconds * 1000) }
    }
  }
}

function validateName({ metadata }: TokenRequest, name: string): void {
  if (!metadata.name || metadata.name === name) return
  const errors = new FieldErrors()
  errors.invalid('metadata.name', metadata.name, 'must match the service account name if specified')
  throw invalidObject(groupKind, name, errors)
}

/** Returns the UID of the answer. A wrong one is refused, or, without the gate, only noted. */
function checkUid({ metadata: { uid } }: TokenRequest, { metadata }: ServiceAccount, operation: Operation): string | undefined {
  if (!uid || uid === metadata.uid) return metadata.uid
  const why = `the UID in the token request (${uid}) does not match the UID of the service account (${metadata.uid})`
  const gate = 'TokenRequestServiceAccountUIDValidation'
  if (operation.services.features.enabled(gate))
    throw conflict({ group: groupKind.group, resource: groupKind.kind }, metadata.name!, why)
  operation.origin.record?.annotate('authentication.k8s.io/token-request-uid-mismatch', why)
  operation.warn(`${why} but ${gate} is not enabled. In the future, this will return a conflict error`)
  return uid
}

function validate({ spec }: TokenRequest): void {
  const errors = new FieldErrors()
  const seconds = spec.expirationSeconds ?? 0
  if (seconds < minSeconds) errors.invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes')
  if (seconds > maxSeconds)
    errors.invalid('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds')
  validateAttestations(spec, errors)
  if (errors.any) throw invalidObject(groupKind, '', errors)
}

/** Finds the object that the token is bound to: the token becomes invalid with the object. */
function findBound(
  ref: BoundObjectReference | undefined,
  { namespace, operation }: SubresourceRequest,
  account: ServiceAccount
): BoundObjects {
  if (!ref) return {}
  const { registry } = operation.services
  const kind = ref.kind ?? ''
  const resources: Record<string, string> = { Pod: 'pods', Secret: 'secrets', Node: 'nodes' }
  const grouped = ref.apiVersion?.split('/').length === 2
  const plural = Object.hasOwn(resources, kind) && !grouped ? resources[kind]! : undefined
  if (!plural) throw badRequest(`cannot bind token to object of type ${groupVersion(ref.apiVersion ?? '')}, Kind=${kind}`)
  const resource = registry.resource('', plural)
  const name = ref.name ?? ''
  checkKeyName(name)
  const found = resource.get(kind === 'Node' ? '' : namespace, name)
  if (!found) throw notFound({ group: '', resource: plural }, name)
  const object = resource.parse(found)
  if (ref.uid && ref.uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', resource: kind }, name, why)
  }
  if (kind === 'Secret') return { secret: object }
  if (kind === 'Node') return { node: object }
  const pod: Pod = object
  if (pod.spec.serviceAccountName !== account.metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${goQuote(account.metadata.name!)} to pod running with different serviceaccount name.`
    )
  }
  const nodes = registry.ifServed(refs.nodes)
  const cached = pod.spec.nodeName ? nodes?.get('', pod.spec.nodeName) : undefined
  // the token names the Pod's node even when the Node does not exist
  return {
    pod,
    ...(pod.spec.nodeName ? { node: cached ? nodes!.parse(cached) : { metadata: { name: pod.spec.nodeName } } } : {})
  }
}

/** "/v1", "apps/v1" */
/** What is no apiVersion counts as an empty one. */
function groupVersion(apiVersion: string): string {
  const slashes = apiVersion.split('/').length - 1
  return slashes === 1 ? apiVersion : slashes === 0 ? `/${apiVersion}` : '/'
}

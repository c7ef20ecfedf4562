/**
 * Tokens by which API servers authenticate to admission webhooks (KEP-6060). A token is bound to the configuration of the webhook, is meant for this
 * webhook alone, and attests about which API group its bearer may ask.
 */
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration
} from '../../../apimachinery/api/generated/admissionregistration-v1.js'
import type { BoundObjectReference, TokenRequestSpec } from '../../../apimachinery/api/generated/authentication-v1.js'
import type { ServiceAccount } from '../../../apimachinery/api/generated/core-v1.js'
import { aboutResource } from '../../../apimachinery/request/authorization.js'
import { serviceAccountUser } from '../../../apimachinery/request/usernames.js'
import { given } from '../../../apimachinery/schema/given.js'
import { badRequest, conflict, forbidden } from '../../../apimachinery/status/status.js'
import { type FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { isDns1123Subdomain } from '../../../apimachinery/validation/names.js'
import { refusalWithError } from '../../../auth/authorization/refusal.js'
import { attestedGroups, type BoundObjects } from '../../../registry/tokens/service-account-tokens.js'
import type { SubresourceRequest } from '../implementation.js'

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration
type Webhook = NonNullable<Configuration['webhooks']>[number]

const group = 'admissionregistration.k8s.io'
const resources: Readonly<Record<string, string>> = {
  ValidatingWebhookConfiguration: 'validatingwebhookconfigurations',
  MutatingWebhookConfiguration: 'mutatingwebhookconfigurations'
}
export const maxWebhookTokenSeconds = 600

export const isWebhookReference = ({ apiVersion, kind = '' }: BoundObjectReference): boolean =>
  apiVersion === `${group}/v1` && Object.hasOwn(resources, kind)

export function validateAttestations(spec: TokenRequestSpec, errors: FieldErrors): void {
  const { boundObjectRef: ref, audiences } = spec
  const attestations = given(spec, 'attestations')
  const at = Path.of('spec', 'attestations')
  const entries = Object.entries(attestations ?? {})
  const shown = attestations ?? null
  if (!ref || !isWebhookReference(ref)) {
    if (entries.length > 0)
      errors.only(() => errors.invalid(at, shown, 'attestations may only be specified with a webhook bound object reference'))
    return
  }
  if (audiences?.length !== 1) errors.invalid('spec.audiences', audiences, 'must be length 1 when bound to a webhook config')
  const [entry] = entries
  if (!entry || entries.length !== 1) {
    errors.invalid(at, shown, `webhook bound requests require exactly one ${attestedGroups} attestation`)
    return
  }
  const [name, values] = entry
  if (name !== attestedGroups) errors.notSupported(at.key(name), name, [attestedGroups])
  else if (values?.length !== 1) errors.invalid(at.key(name), values, 'must specify a single value')
  else validateGroup(values[0]!, at.key(name).index(0), errors)
}

function validateGroup(name: string, at: Path, errors: FieldErrors): void {
  if (name === '') errors.invalid(at, name, 'may not be an empty string')
  else if (name !== '*')
    for (const why of isDns1123Subdomain(name)) errors.invalid(at, name, `must specify a valid API Group: ${why}`)
}

/** Finds the configuration of a webhook for a valid request. Throws when the account may not have such a token. */
export async function findWebhook(
  ref: BoundObjectReference,
  { audiences, attestations }: TokenRequestSpec,
  { operation }: SubresourceRequest,
  account: ServiceAccount
): Promise<BoundObjects> {
  const { features, apiAudiences, authorizer, registry } = operation.services
  const kind = ref.kind!
  if (!features.enabled('APIServerWebhookAuthenticationToken')) {
    const why = 'feature gate APIServerWebhookAuthenticationToken is disabled'
    throw badRequest(`cannot bind token to object of type ${group}/v1, Kind=${kind} (${why})`)
  }
  const [audience = ''] = audiences ?? []
  if (apiAudiences.includes(audience)) throw badRequest('api server audiences are invalid for webhook token requests')
  const attested = attestations![attestedGroups]![0]!
  const { name, namespace, uid } = account.metadata
  const question = aboutResource({
    user: { ...serviceAccountUser(namespace!, name!), uid },
    verb: 'attest',
    group: 'authentication.k8s.io',
    resource: attestedGroups,
    name: attested
  })
  const decision = await authorizer.authorize(question, { signal: operation.origin.signal })
  if (!decision.allowed) throw refusalWithError(question, decision)
  const found = registry.ifServed<Configuration>({ group, resource: resources[kind]! })?.read('', ref.name ?? '')
  // what exists is nothing that the account may learn
  if (!found || isDeleted(found, operation.now) || !isMeantFor(found, attested, audience))
    throw forbidden({ group: '', resource: 'serviceaccounts/token' }, name!, 'token request denied')
  if (ref.uid && ref.uid !== found.metadata.uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group, resource: kind }, ref.name!, why)
  }
  return { webhooks: found, webhooksKind: kind.toLowerCase() }
}

const isDeleted = ({ metadata: { deletionTimestamp } }: Configuration, now: number) =>
  deletionTimestamp != null && Date.parse(deletionTimestamp) < now

const isMeantFor = ({ webhooks = [] }: Configuration, attested: string, audience: string) =>
  attested === '*' || (webhooks ?? []).some(webhook => asksAbout(webhook, attested) && isAddressOf(webhook, audience))

const asksAbout = ({ rules }: Webhook, attested: string) =>
  (rules ?? []).some(({ apiGroups }) => apiGroups?.some(name => name === '*' || name === attested))

function isAddressOf({ clientConfig: { url, service } }: Webhook, audience: string): boolean {
  if (url !== undefined && audience === url) return true
  if (!service) return false
  const path = service.path ?? '/'
  return (
    audience ===
    `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${path.startsWith('/') ? '' : '/'}${path}`
  )
}

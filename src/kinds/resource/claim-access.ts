/** Checks who may write which part of a claim's status: the scheduler allocates devices, drivers report on theirs (KEP-4817). */
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  ResourceClaim,
  ResourceClaimStatus
} from '../../apimachinery/api/generated/resource-v1.js'
import { type AuthorizationAttributes, aboutResource } from '../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { refusalWithError } from '../../auth/authorization/refusal.js'
import type { StrategyContext } from '../../registry/strategy-context.js'
import { equalJson } from '../../util/json.js'
import { sameWithRaw } from '../immutable.js'

export async function validateStatusAccess(
  { status }: ResourceClaim,
  { status: old }: ResourceClaim,
  errors: FieldErrors,
  context: StrategyContext
): Promise<void> {
  const { features } = context.services
  if (!features.enabled('DRAResourceClaimGranularStatusAuthorization')) return
  const at = Path.of('status')
  const { request, user, namespace, version } = context
  const claims = { user, group: 'resource.k8s.io', version, resource: 'resourceclaims' }
  if (
    !sameWithRaw('resource.v1.AllocationResult', status.allocation, old.allocation) ||
    !equalJson(status.reservedFor ?? [], old.reservedFor ?? [])
  ) {
    const why = await whyNot(aboutResource({ ...claims, verb: request.verb, subresource: 'binding' }), context)
    const what = `resource="resourceclaims/binding", verb="${request.verb}" permission`
    if (why !== undefined)
      errors.forbidden(at.child('allocation'), `changing status.allocation or status.reservedFor requires ${what}: ${why}`)
  }
  // without an allocation there is no status of devices
  if (!status.allocation || !features.enabled('DRAResourceClaimDeviceStatus')) return
  const onItsNode = isOnNode(user, nodeOf(status.allocation))
  const verbs = [...(onItsNode ? ['associated-node'] : []), 'arbitrary-node'].map(where => `${where}:${request.verb}`)
  for (const driver of changedDrivers(status, old)) {
    const why = await whyNoneOf(
      verbs.map(verb => aboutResource({ ...claims, verb, subresource: 'driver', namespace, name: driver })),
      context
    )
    const what = `resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`
    if (why !== undefined) errors.forbidden(at.child('devices'), `changing status.devices requires ${what}: ${why}`)
  }
}

async function whyNot(attributes: AuthorizationAttributes, { services }: StrategyContext): Promise<string | undefined> {
  const decision = await services.authorizer.authorize(attributes)
  return decision.allowed ? undefined : refusalWithError(attributes, decision).message
}

/** Returns undefined when one of several verbs is allowed, else the refusal of the first. */
async function whyNoneOf(ways: readonly AuthorizationAttributes[], context: StrategyContext): Promise<string | undefined> {
  let first: string | undefined
  for (const way of ways) {
    const why = await whyNot(way, context)
    if (why === undefined) return undefined
    first ??= why
  }
  return first
}

const idOf = ({ driver, pool, device, shareID = '' }: AllocatedDeviceStatus) => JSON.stringify([driver, pool, device, shareID])

function changedDrivers({ devices = [] }: ResourceClaimStatus, old: ResourceClaimStatus): string[] {
  const before = new Map(old.devices?.map(device => [idOf(device), device]))
  const drivers = new Set<string>()
  for (const device of devices) {
    const id = idOf(device)
    if (!sameWithRaw('resource.v1.AllocatedDeviceStatus', device, before.get(id))) drivers.add(device.driver)
    before.delete(id)
  }
  for (const { driver } of before.values()) drivers.add(driver)
  return [...drivers].sort()
}

/** Returns the node to which the devices of an allocation belong, if it is a single one. */
function nodeOf({ nodeSelector }: AllocationResult): string | undefined {
  const [term, ...others] = nodeSelector?.nodeSelectorTerms ?? []
  if (!term || others.length > 0 || term.matchExpressions?.length || term.matchFields?.length !== 1) return undefined
  const { key, operator, values } = term.matchFields[0]!
  return key === 'metadata.name' && operator === 'In' && values?.length === 1 ? values[0] : undefined
}

/** Whether the user's token names the node: the token of a Pod's service account names the node on which the Pod runs. */
function isOnNode({ name, extra }: UserInfo, node: string | undefined): boolean {
  if (!node || isDns1123Subdomain(node).length > 0 || !/^system:serviceaccount:[^:]+:[^:]+$/.test(name)) return false
  const nodes = extra?.['authentication.kubernetes.io/node-name']
  return nodes?.length === 1 && nodes[0] === node
}

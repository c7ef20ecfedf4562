/** What the status of a claim says of its devices. */
import type { NodeSelector, NodeSelectorRequirement } from '../../../apimachinery/api/generated/core-v1.js'
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  ResourceClaim
} from '../../../apimachinery/api/generated/resource-v1.js'
import type { Choice } from './allocate.js'
import type { Alternative } from './requests.js'

/** `newShareId` makes the id by which a driver tells a share of a device from the others. */
export function allocationResult(
  claim: ResourceClaim,
  choices: readonly Choice[],
  node: string,
  newShareId: () => string
): AllocationResult {
  const results = choices.map(({ alternative, device, share }) => ({
    request: alternative.name,
    driver: device.driver,
    pool: device.pool,
    device: device.device.name,
    ...(alternative.adminAccess && { adminAccess: true }),
    ...(alternative.tolerations.length > 0 && { tolerations: [...alternative.tolerations] }),
    ...(device.device.bindingConditions && { bindingConditions: device.device.bindingConditions }),
    ...(device.device.bindingFailureConditions && { bindingFailureConditions: device.device.bindingFailureConditions }),
    ...(share && { shareID: newShareId() }),
    ...(share && Object.keys(share).length > 0 && { consumedCapacity: share })
  }))
  const config = configOf(claim, choices)
  const nodeSelector = nodesOf(choices, node)
  return { devices: { results, ...(config.length > 0 && { config }) }, ...(nodeSelector && { nodeSelector }) }
}

/** The configuration of classes, each with its requests, and then that of the claim, as far as it concerns what was chosen. */
function configOf({ spec }: ResourceClaim, choices: readonly Choice[]): DeviceAllocationConfiguration[] {
  const chosen = new Map(choices.map(({ wanted, alternative }) => [wanted.request, alternative]))
  const byClass = new Map<string, Alternative[]>()
  for (const alternative of chosen.values()) {
    const { name } = alternative.class.metadata
    byClass.set(name!, [...(byClass.get(name!) ?? []), alternative])
  }
  const ofClasses = [...byClass.values()].flatMap(alternatives =>
    (alternatives[0]!.class.spec.config ?? []).map(config => ({
      source: 'FromClass',
      requests: alternatives.map(({ name }) => name),
      ...config
    }))
  )
  const names = [...chosen].flatMap(([request, { name }]) => [request, name])
  const ofClaim = (spec.devices.config ?? [])
    .filter(({ requests }) => !requests?.length || requests.some(name => names.includes(name)))
    .map(config => ({ source: 'FromClaim', ...config }))
  const concernsAll = (requests: readonly string[]) =>
    [...chosen].every(([request, { name }]) => requests.includes(request) || requests.includes(name))
  // without requests, it concerns all
  return [...ofClasses, ...ofClaim].map(({ requests, ...config }) => ({
    ...config,
    ...(requests?.length && !concernsAll(requests) && { requests })
  }))
}

/** The Nodes that have all of the devices; undefined for every Node. A device may bind its claim to the Node that was chosen. */
function nodesOf(choices: readonly Choice[], node: string): NodeSelector | undefined {
  const matchFields: NodeSelectorRequirement[] = []
  const matchExpressions: NodeSelectorRequirement[] = []
  for (const { device } of choices) {
    if (device.nodeName || device.device.bindsToNode)
      return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }] }
    const [term] = device.nodeSelector?.nodeSelectorTerms ?? []
    addNew(term?.matchFields, matchFields)
    addNew(term?.matchExpressions, matchExpressions)
  }
  if (matchFields.length === 0 && matchExpressions.length === 0) return undefined
  const term = { ...(matchExpressions.length > 0 && { matchExpressions }), ...(matchFields.length > 0 && { matchFields }) }
  return { nodeSelectorTerms: [term] }
}

function addNew(from: readonly NodeSelectorRequirement[] | undefined, to: NodeSelectorRequirement[]): void {
  const known = new Set(to.map(one => JSON.stringify(one)))
  for (const requirement of from ?? []) if (!known.has(JSON.stringify(requirement))) to.push(requirement)
}

import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import { type Check, refuse } from './refuse.js'

const ownLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch'
])
const ownDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io']
const kubernetesDomains = ['kubernetes.io', 'k8s.io']

/** A kubelet may write only its own Node, without the labels and taints that would attract workloads of others. */
export const checkNode: Check = (node, attributes) => {
  const { operation, name, object, oldObject } = attributes
  const self = `node ${goQuote(node)} is not allowed to`
  if (name !== node) throw refuse(attributes, `${self} modify node ${goQuote(name)}`)
  if (operation === 'CREATE') {
    const { spec, metadata }: Node = object
    if (spec.configSource) throw refuse(attributes, `${self} create pods with a non-nil configSource`)
    const labels = forbiddenLabels(metadata.labels, undefined)
    if (labels !== '') throw refuse(attributes, `${self} set the following labels: ${labels}`)
  } else if (operation === 'UPDATE') {
    const [present, before]: [Node, Node] = [object, oldObject]
    if (present.spec.configSource && !equalJson(present.spec.configSource, before.spec.configSource))
      throw refuse(attributes, `${self} update configSource to a new non-nil configSource`)
    if (!equalJson(present.spec.taints ?? [], before.spec.taints ?? [])) throw refuse(attributes, `${self} modify taints`)
    if (!equalJson(present.metadata.ownerReferences ?? [], before.metadata.ownerReferences ?? []))
      throw refuse(attributes, `${self} modify ownerReferences`)
    const labels = forbiddenLabels(present.metadata.labels, before.metadata.labels)
    if (labels !== '') throw refuse(attributes, `is not allowed to modify labels: ${labels}`)
  }
}

type Labels = Readonly<Record<string, string>> | undefined

/** Returns the changed labels that a kubelet must not change, joined by commas. */
function forbiddenLabels(present: Labels = {}, before: Labels = {}): string {
  const value = (labels: Record<string, string>, key: string) => (Object.hasOwn(labels, key) ? labels[key] : undefined)
  const keys = new Set([...Object.keys(present), ...Object.keys(before)])
  const changed = [...keys].filter(key => value(present, key) !== value(before, key))
  return changed.filter(isForbidden).sort().join(', ')
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/')
  const domain = slash < 0 ? '' : key.slice(0, slash)
  const isIn = (parent: string) => domain === parent || domain.endsWith(`.${parent}`)
  return kubernetesDomains.some(isIn) && !ownLabels.has(key) && !ownDomains.some(isIn)
}

import type { Pod, Volume } from '../../apimachinery/api/generated/core-v1.js'
import { podReferences } from '../../apimachinery/api/pod-references.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { type Check, lookUp, nodes, pods, refuse } from './refuse.js'

const mirror = 'kubernetes.io/config.mirror'

export const checkPod: Check = (node, attributes) => {
  const { operation, subresource } = attributes
  if (subresource === 'status') return checkStatus(node, attributes)
  if (subresource === 'eviction') return checkEviction(node, attributes)
  if (subresource !== '')
    throw refuse(attributes, `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`)
  if (operation === 'CREATE') return checkMirror(node, attributes)
  if (operation === 'UPDATE')
    throw refuse(attributes, `unexpected operation "UPDATE", node ${goQuote(node)} can only create and delete mirror pods`)
  const { spec }: Pod = attributes.oldObject
  if (spec.nodeName !== node)
    throw refuse(attributes, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`)
}

/** A kubelet may create only mirror Pods of its static Pods. They must not refer to API objects, which it could then read. */
function checkMirror(node: string, attributes: AdmissionAttributes): void {
  const { metadata, spec }: Pod = attributes.object
  const self = `node ${goQuote(node)}`
  if (metadata.annotations?.[mirror] === undefined)
    throw refuse(attributes, `pod does not have "${mirror}" annotation, ${self} can only create mirror pods`)
  const only = `${self} can only create pods with`
  if (spec.nodeName !== node) throw refuse(attributes, `${only} spec.nodeName set to itself`)
  const [owner, ...others] = metadata.ownerReferences ?? []
  if (others.length > 0) throw refuse(attributes, `${only} a single owner reference set to itself`)
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
    throw refuse(attributes, `${only} an owner reference set to itself`)
  if (!owner.controller) throw refuse(attributes, `${only} a controller owner reference set to itself`)
  if (owner.blockOwnerDeletion) throw refuse(attributes, `${self} must not set blockOwnerDeletion on an owner reference`)
  const { uid } = lookUp(attributes, nodes, '', node).metadata
  if (owner.uid !== uid) throw refuse(attributes, `node ${node} UID mismatch: expected ${owner.uid} got ${uid}`)
  const reference = apiReference(attributes.object)
  if (reference !== undefined) throw refuse(attributes, `${self} can not create pods that reference ${reference}`)
}

const viaVolume: readonly [keyof Volume, string][] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)']
]
const viaProjection = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates']
] as const

/** Returns the first kind of API object that a Pod refers to, in kube-apiserver's words. */
function apiReference(pod: Pod): string | undefined {
  const { serviceAccounts, secrets, configMaps } = podReferences(pod)
  if (serviceAccounts.length > 0) return 'serviceaccounts'
  if (secrets.length > 0) return 'secrets'
  if (configMaps.length > 0) return 'configmaps'
  if (pod.spec.resourceClaims?.length) return 'resourceclaims'
  for (const volume of pod.spec.volumes ?? []) {
    const found = viaVolume.find(([source]) => volume[source])
    if (found) return found[1]
    for (const source of volume.projected?.sources ?? []) {
      const found = viaProjection.find(([field]) => source[field])
      if (found) return found[1]
    }
  }
  return undefined
}

function checkStatus(node: string, attributes: AdmissionAttributes): void {
  if (attributes.operation !== 'UPDATE') throw refuse(attributes, `unexpected operation ${goQuote(attributes.operation)}`)
  const [pod, before]: [Pod, Pod] = [attributes.object, attributes.oldObject]
  const self = `node ${goQuote(node)}`
  if (before.spec.nodeName !== node)
    throw refuse(attributes, `${self} can only update pod status for pods with spec.nodeName set to itself`)
  if (!equalJson(pod.metadata.labels ?? {}, before.metadata.labels ?? {}))
    throw refuse(attributes, `${self} cannot update labels through pod status`)
  // the node authorizer lets a kubelet read the resource claims that the status of its Pods names
  if (!equalJson(claims(pod), claims(before))) throw refuse(attributes, `${self} cannot update resource claim statues`)
  if (!equalJson(extendedClaim(pod), extendedClaim(before)))
    throw refuse(attributes, `${self} cannot update extended resource claim status`)
  if (!equalJson(nodeClaims(pod), nodeClaims(before)))
    throw refuse(attributes, `${self} cannot update node allocatable resource claim statuses`)
}

const claims = ({ status }: Pod) =>
  (status.resourceClaimStatuses ?? []).map(({ name, resourceClaimName = null }) => [name, resourceClaimName])

const extendedClaim = ({ status: { extendedResourceClaimStatus: claim } }: Pod) =>
  claim ? [claim.resourceClaimName, claim.requestMappings ?? []] : null

const nodeClaims = ({ status }: Pod) => status.nodeAllocatableResourceClaimStatuses ?? []

function checkEviction(node: string, attributes: AdmissionAttributes): void {
  if (attributes.operation !== 'CREATE') throw refuse(attributes, `unexpected operation ${attributes.operation}`)
  const pod: Pod = lookUp(attributes, pods, attributes.namespace, attributes.name)
  if (pod.spec.nodeName !== node) throw refuse(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`)
}

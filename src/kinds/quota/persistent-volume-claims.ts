import type { PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import { equalJson } from '../../util/json.js'
import { compareQuantities, formatQuantity, parseQuantity, roundedUp } from '../../util/quantity.js'
import type { Evaluator } from './evaluator.js'
import { selects } from './scopes.js'

const counted = ['persistentvolumeclaims', 'requests.storage']
/** "gold.storageclass.storage.k8s.io/requests.storage" */
const perClass = (className: string, name: string) => `${className}.storageclass.storage.k8s.io/${name}`

export const persistentVolumeClaimEvaluator: Evaluator = {
  matches: name =>
    name === 'count/persistentvolumeclaims' || counted.some(one => name === one || name.endsWith(perClass('', one))),
  usage(claim: PersistentVolumeClaim) {
    const own: Record<string, string> = { persistentvolumeclaims: '1' }
    const storage = storageOf(claim)
    if (storage !== undefined) own['requests.storage'] = storage
    const className = classOf(claim)
    const ofClass = className ? Object.entries(own).map(([name, amount]) => [perClass(className, name), amount]) : []
    return { 'count/persistentvolumeclaims': '1', ...own, ...Object.fromEntries(ofClass) }
  },
  inScope: (claim: PersistentVolumeClaim, scope) =>
    scope.scopeName === 'VolumeAttributesClass' && selects(scope, attributesClasses(claim)),
  isCharged(_operation, subresource, object, old) {
    return subresource === '' || (subresource === 'status' && old !== undefined && changesStatus(object, old))
  }
}

const classOf = ({ metadata, spec }: PersistentVolumeClaim) =>
  metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? ''

/** Returns the requested or the allocated bytes, whichever are more. */
function storageOf({ spec, status }: PersistentVolumeClaim): string | undefined {
  const asked = spec.resources?.requests?.storage
  if (asked === undefined) return undefined
  const allocated = status?.allocatedResources?.storage
  return whole(allocated !== undefined && compareQuantities(allocated, asked) > 0 ? allocated : asked)
}

function whole(text: string): string {
  const quantity = parseQuantity(text)
  return quantity.exponent >= 0 ? text : formatQuantity(roundedUp(quantity, 0))
}

/** Every attributes class that the claim has, is getting or requests. */
function attributesClasses({ spec, status }: PersistentVolumeClaim): string[] {
  const names = [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName
  ]
  return names.filter(name => name !== undefined && name !== '') as string[]
}

const changesStatus = (claim: PersistentVolumeClaim, old: PersistentVolumeClaim) =>
  !equalJson(claim.status?.allocatedResources, old.status?.allocatedResources) ||
  !equalJson(attributesClasses(claim), attributesClasses(old))

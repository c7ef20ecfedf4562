import type { StorageVersionStatus } from '../../apimachinery/api/generated/apiserverinternal-v1alpha1.js'
import { timestamp } from '../../util/time.js'

const type = 'AllEncodingVersionsEqual'

/** Sets the version in which all servers store the objects, if they agree, with the condition. `now` is in milliseconds. */
export function setCommonEncodingVersion(status: StorageVersionStatus, generation: number | undefined, now: number): void {
  const before = status.commonEncodingVersion
  const [first, ...others] = status.storageVersions ?? []
  const common = others.every(server => server.encodingVersion === first?.encodingVersion) ? first?.encodingVersion : undefined
  if (common === undefined) delete status.commonEncodingVersion
  else status.commonEncodingVersion = common
  status.conditions ??= []
  const at = status.conditions.findIndex(condition => condition.type === type)
  const old = status.conditions[at]
  const wanted = common === undefined ? 'False' : 'True'
  const changed = old?.status !== wanted || (before !== undefined && common !== undefined && before !== common)
  const condition = {
    type,
    status: wanted,
    ...(generation ? { observedGeneration: generation } : {}),
    lastTransitionTime: changed ? timestamp(now) : old.lastTransitionTime,
    ...(common === undefined
      ? { reason: 'CommonEncodingVersionUnset', message: 'Common encoding version unset' }
      : { reason: 'CommonEncodingVersionSet', message: 'Common encoding version set' })
  }
  if (old) status.conditions[at] = condition
  else status.conditions.push(condition)
}

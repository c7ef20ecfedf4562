import type { ResourceSliceSpec } from '../../apimachinery/api/generated/resource-v1.js'
import { FieldErrors, type Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { validateFullyQualifiedName } from './qualified-name.js'

/** Requires that each device that is a part of another one has the attribute that tells the kinds of parts apart, as a string. */
export function validatePartitionType(spec: ResourceSliceSpec, at: Path, errors: FieldErrors): void {
  const { partitionTypeAttribute: name, driver, devices = [] } = spec
  if (name === undefined) return
  const path = at.child('partitionTypeAttribute')
  if (!devices.some(isPart)) {
    errors.invalid(path, name, 'may only be set on a slice which declares devices that consume counters')
    return
  }
  if (isMalformed(name, path)) return
  // the driver's own attributes may lack its name
  const bare = name.startsWith(`${driver}/`) ? name.slice(driver.length + 1) : name
  for (const [i, device] of devices.entries()) {
    if (!isPart(device)) continue
    const attributes = device.attributes ?? {}
    const found = [name, bare].find(key => key !== '' && Object.hasOwn(attributes, key))
    const place = at.child('devices').index(i).child('attributes').key(name)
    if (found === undefined)
      errors.required(place, 'device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set')
    else if (attributes[found]!.string === undefined) {
      const shown = internalText('resource.v1.DeviceAttribute', attributes[found])
      errors.invalid(place, shown, 'must be a string value because `partitionTypeAttribute` names this attribute')
    }
  }
}

type Devices = NonNullable<ResourceSliceSpec['devices']>
const isPart = ({ consumesCounters }: Devices[number]): boolean => (consumesCounters?.length ?? 0) > 0

/** A declared rule reports such a name. */
function isMalformed(name: string, path: Path): boolean {
  const errors = new FieldErrors()
  errors.collect(() => validateFullyQualifiedName(name, path, errors))
  return errors.any
}

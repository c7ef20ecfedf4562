import type { StorageHealth, StorageHealthCondition } from '../../apimachinery/api/generated/storage-v1.js'
import { validateConditionReason } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateDriverName } from './driver-name.js'

const maxConditions = 16
const maxReasonBytes = 256
const maxMessageBytes = 1024
const statuses = ['StorageDegraded', 'StorageUnreachable']
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const volumeModes = ['Filesystem', 'Block']

/** Validates what the drivers of a node say about the storage behind them. */
export function validateStorageHealth(list: readonly StorageHealth[], errors: FieldErrors): void {
  const seen = new Set<string>()
  list.forEach(({ name, healthConditions = [] }, i) => {
    const at = Path.of('status', 'storageHealth').index(i)
    if (seen.has(name)) errors.duplicate(at, name)
    seen.add(name)
    validateDriverName(name, at.child('name'), errors)
    const path = at.child('healthConditions')
    if (healthConditions.length > maxConditions) errors.tooMany(path, healthConditions.length, maxConditions)
    else for (const [n, condition] of healthConditions.entries()) validateCondition(condition, path.index(n), errors)
  })
}

function validateCondition(condition: StorageHealthCondition, at: Path, errors: FieldErrors): void {
  const { status, reason, message = '', accessMode, volumeMode } = condition
  if (!statuses.includes(status)) errors.notSupported(at.child('status'), status, statuses)
  validateConditionReason(reason, maxReasonBytes, at.child('reason'), errors)
  if (Buffer.byteLength(message) > maxMessageBytes) errors.tooLong(at.child('message'), maxMessageBytes)
  if (accessMode !== undefined && !accessModes.includes(accessMode))
    errors.notSupported(at.child('accessMode'), accessMode, accessModes)
  if (volumeMode !== undefined && !volumeModes.includes(volumeMode))
    errors.notSupported(at.child('volumeMode'), volumeMode, volumeModes)
}

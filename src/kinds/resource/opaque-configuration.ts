import type { OpaqueDeviceConfiguration } from '../../apimachinery/api/generated/resource-v1.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { exactJson } from '../../util/exact-json.js'
import { isObject } from '../../util/json.js'

const maxParameterBytes = 10 * 1024

/** Validates configuration that only a driver understands. */
export function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, path: Path, errors: FieldErrors): void {
  const at = path.child('opaque')
  if (!opaque) {
    errors.required(at)
    return
  }
  validateParameters(opaque.parameters, at.child('parameters'), errors)
}

/** Validates a JSON object that is stored unchanged. */
export function validateParameters(parameters: unknown, path: Path, errors: FieldErrors): void {
  if (parameters === undefined || parameters === null) errors.required(path)
  else if (Buffer.byteLength(exactJson(parameters)) > maxParameterBytes) errors.tooLong(path, maxParameterBytes)
  else if (!isObject(parameters)) errors.invalid(path, '<value omitted>', 'must be a valid JSON object')
}

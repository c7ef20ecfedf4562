/** Checks the field staticManifestsDir of plugins' configurations. */
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { type EnabledGates, FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { goFileError } from '../../util/go-file-error.js'
import { refuseInvalid } from './plugin-configuration.js'

const gate = 'ManifestBasedAdmissionControlConfig'

/** Rejects with a ConfigError. */
export async function checkManifestsFolder(folder: string | undefined, gates: EnabledGates): Promise<void> {
  if (!folder) return
  const errors = new FieldErrors()
  const at = Path.of('staticManifestsDir')
  if (!gates.enabled(gate)) errors.forbidden(at, `staticManifestsDir requires the ${gate} feature gate to be enabled`)
  else if (!isAbsolute(folder)) errors.invalid(at, folder, 'must be an absolute file path')
  else
    try {
      if (!(await stat(folder)).isDirectory()) errors.invalid(at, folder, 'must be a directory')
    } catch (error) {
      errors.invalid(at, folder, `unable to read: ${goFileError('stat', folder, error)}`)
    }
  refuseInvalid(errors)
}

import type { Container, Volume, VolumeMount } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { plainText } from '../../../apimachinery/validation/go-value.js'
import { validateLocalDescendingPath } from '../volume/local-path.js'

/** The valid volumes of a Pod, by name. */
type Volumes = ReadonlyMap<string, Volume>

/**
 * Returns the paths that the other list uses, by name; of several paths for a name the last one, as kube-apiserver looks them up.
 */
const lastPaths = (named: readonly (readonly [name: string, path: string])[]) => new Set(new Map(named).values())

/** Validates the mounts. Some of kube-apiserver's paths lack an index. */
export function validateVolumeMounts(container: Container, volumes: Volumes, path: Path, errors: FieldErrors): void {
  const mountPaths = new Set<string>()
  const devices = new Set(container.volumeDevices?.map(d => d.name))
  const devicePaths = lastPaths(container.volumeDevices?.map(d => [d.name, d.devicePath]) ?? [])
  container.volumeMounts?.forEach((mount, i) => {
    const at = path.index(i)
    if (!mount.name) errors.required(at.child('name'))
    if (!volumes.has(mount.name)) errors.notFound(at.child('name'), mount.name)
    if (!mount.mountPath) errors.required(at.child('mountPath'))
    if (mountPaths.has(mount.mountPath)) errors.invalid(at.child('mountPath'), mount.mountPath, 'must be unique')
    mountPaths.add(mount.mountPath)
    if (devices.has(mount.name)) errors.invalid(at.child('name'), mount.name, 'must not already exist in volumeDevices')
    if (devicePaths.has(mount.mountPath)) {
      errors.invalid(at.child('mountPath'), mount.mountPath, 'must not already exist as a path in volumeDevices')
    }
    if (mount.subPath) validateLocalDescendingPath(mount.subPath, path.child('subPath'), errors)
    if (mount.subPathExpr) {
      if (mount.subPath)
        errors.invalid(at.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive')
      validateLocalDescendingPath(mount.subPathExpr, path.child('subPathExpr'), errors)
    }
    validatePropagation(mount, container, path.child('mountPropagation'), errors)
    validateRecursiveReadOnly(mount, path.child('recursiveReadOnly'), errors)
    validateBindMountOptions(mount, volumes.get(mount.name), at.child('bindMountOptions'), errors)
  })
}

const bindMountOptions = ['nodev', 'noexec', 'nosuid']

function validateBindMountOptions(
  { bindMountOptions: options }: VolumeMount,
  volume: Volume | undefined,
  path: Path,
  errors: FieldErrors
): void {
  if (!options?.length) return
  options.forEach((option, i) => {
    if (!bindMountOptions.includes(option)) errors.notSupported(path.index(i), plainText(option), bindMountOptions)
    if (options.indexOf(option) < i) errors.duplicate(path.index(i), option)
  })
  if (volume?.image) errors.invalid(path, options, 'bindMountOptions may not be used with image volumes')
}

function validatePropagation({ mountPropagation }: VolumeMount, container: Container, path: Path, errors: FieldErrors): void {
  if (mountPropagation === undefined) return
  const modes = ['Bidirectional', 'HostToContainer', 'None']
  if (!modes.includes(mountPropagation)) errors.notSupported(path, mountPropagation, modes)
  if (mountPropagation === 'Bidirectional' && !container.securityContext?.privileged) {
    errors.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers')
  }
}

function validateRecursiveReadOnly(mount: VolumeMount, path: Path, errors: FieldErrors): void {
  const mode = mount.recursiveReadOnly
  if (mode === undefined || mode === 'Disabled') return
  if (mode !== 'Enabled' && mode !== 'IfPossible') return errors.notSupported(path, mode, ['Disabled', 'Enabled', 'IfPossible'])
  if (!mount.readOnly) errors.forbidden(path, 'may only be specified when readOnly is true')
  if (mount.mountPropagation !== undefined && mount.mountPropagation !== 'None') {
    errors.forbidden(path, 'may only be specified when mountPropagation is None or not specified')
  }
}

export function validateVolumeDevices(container: Container, volumes: Volumes, path: Path, errors: FieldErrors): void {
  const names = new Set<string>()
  const devicePaths = new Set<string>()
  const mounts = new Set(container.volumeMounts?.map(m => m.name))
  const mountPaths = lastPaths(container.volumeMounts?.map(m => [m.name, m.mountPath]) ?? [])
  container.volumeDevices?.forEach((device, i) => {
    const at = path.index(i)
    const volume = volumes.get(device.name)
    if (!device.name) errors.required(at.child('name'))
    if (names.has(device.name)) errors.invalid(at.child('name'), device.name, 'must be unique')
    if (!volume) errors.notFound(at.child('name'), device.name)
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      errors.invalid(
        at.child('name'),
        device.name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      )
    }
    if (!device.devicePath) errors.required(at.child('devicePath'))
    if (devicePaths.has(device.devicePath)) errors.invalid(at.child('devicePath'), device.devicePath, 'must be unique')
    if (device.devicePath.split('/').includes('..'))
      errors.invalid(at.child('devicePath'), device.devicePath, "can not contain backsteps ('..')")
    else devicePaths.add(device.devicePath)
    if (mounts.has(device.name)) errors.invalid(at.child('name'), device.name, 'must not already exist in volumeMounts')
    if (mountPaths.has(device.devicePath)) {
      errors.invalid(at.child('devicePath'), device.devicePath, 'must not already exist as a path in volumeMounts')
    }
    if (device.name) names.add(device.name)
  })
}

import type { AppArmorProfile, PodSpec, SeccompProfile, SecurityContext } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { internalText } from '../../../apimachinery/validation/internal-text.js'
import { validateId } from '../linux-id.js'
import { containersWithPaths } from '../pod/annotations-validation.js'
import { allContainers } from '../pod/spec-defaults.js'
import { validateLocalDescendingPath } from '../volume/local-path.js'
import type { ContainerScope } from './validation.js'
import { validateWindowsOptions } from './windows-options-validation.js'

export function validateSecurityContext(
  context: SecurityContext | undefined,
  { spec, old }: Pick<ContainerScope, 'spec' | 'old'>,
  path: Path,
  errors: FieldErrors
): void {
  if (!context) return
  if (context.privileged && !errors.allowPrivileged) errors.forbidden(path.child('privileged'), 'disallowed by cluster policy')
  validateId(context.runAsUser, path.child('runAsUser'), errors)
  validateId(context.runAsGroup, path.child('runAsGroup'), errors)
  const { procMount } = context
  if (procMount !== undefined) {
    const supported = ['Default', 'Unmasked']
    if (!supported.includes(procMount)) errors.notSupported(path.child('procMount'), procMount, supported)
    if (procMount === 'Unmasked' && spec.hostUsers !== false)
      errors.invalid(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`')
  }
  validateSeccomp(context.seccompProfile, path.child('seccompProfile'), errors)
  if (context.allowPrivilegeEscalation === false) {
    const shown = () => internalText('core.v1.SecurityContext', context)
    if (context.privileged)
      errors.invalid(path, shown(), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true')
    if (
      isUnescalatedAdmin(context) &&
      !(old && allContainers(old).some(({ securityContext }) => isUnescalatedAdmin(securityContext)))
    ) {
      errors.invalid(path, shown(), 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN')
    }
  }
  validateWindowsOptions(context.windowsOptions, path.child('windowsOptions'), errors)
  validateAppArmor(context.appArmorProfile, path.child('appArmorProfile'), errors)
}

/** Whether a container may administrate the system without gaining privileges: an update may keep this where it was stored once. */
const isUnescalatedAdmin = (context: SecurityContext | undefined): boolean =>
  context?.allowPrivilegeEscalation !== true && (context?.capabilities?.add?.includes('CAP_SYS_ADMIN') ?? false)

const sysctlName = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const sysctlRule =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'

/** `old` is the spec before an update. */
export function validatePodSecurityContext(spec: PodSpec, old: PodSpec | undefined, at: Path, errors: FieldErrors): void {
  const context = spec.securityContext
  if (!context) return
  validateId(context.fsGroup, at.child('fsGroup'), errors)
  validateId(context.runAsUser, at.child('runAsUser'), errors)
  validateId(context.runAsGroup, at.child('runAsGroup'), errors)
  context.supplementalGroups?.forEach((group, i) => void validateId(group, at.child('supplementalGroups').index(i), errors))
  const names = new Set<string>()
  context.sysctls?.forEach(({ name }, i) => {
    const field = at.child('sysctls').index(i).child('name')
    if (name === '') errors.required(field)
    else if (name.length > 253 || !sysctlName.test(name)) errors.invalid(field, name, sysctlRule)
    else if (names.has(name)) errors.duplicate(field, name)
    validateHostSysctl(name, spec, field, errors)
    names.add(name)
  })
  oneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], at.child('fsGroupChangePolicy'), errors)
  validateSeccomp(context.seccompProfile, at.child('seccompProfile'), errors)
  validateWindowsOptions(context.windowsOptions, at.child('windowsOptions'), errors)
  validateAppArmor(context.appArmorProfile, at.child('appArmorProfile'), errors)
  oneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], at.child('supplementalGroupsPolicy'), errors)
  // without the gate, what has a policy already may change it
  const mayMount = errors.enabled('SELinuxMount') || old?.securityContext?.seLinuxChangePolicy !== undefined
  const policies = mayMount ? ['MountOption', 'Recursive'] : ['Recursive']
  oneOf(context.seLinuxChangePolicy, policies, at.child('seLinuxChangePolicy'), errors)
}

const ipcSysctl = /^(kernel\.(sem|shmall|shmmax|shmmni|shm_rmid_forced|shm|msgmax|msgmnb|msgmni|msg)$|fs\.mqueue\.)/

/** Refuses the sysctls of a namespace that the Pod shares with the host. Names may have slashes instead of dots. */
function validateHostSysctl(name: string, spec: PodSpec, path: Path, errors: FieldErrors): void {
  const plain = dotted(name).replace(/\*.*$/s, '')
  if (spec.hostNetwork && plain.startsWith('net.')) errors.invalid(path, name, "may not be specified when 'hostNetwork' is true")
  else if (spec.hostIPC && ipcSysctl.test(plain)) errors.invalid(path, name, "may not be specified when 'hostIPC' is true")
}

/** Returns the name with dots as separators. If a slash comes first, slashes are the separators, and dots stand for slashes. */
function dotted(name: string): string {
  const first = name.search(/[./]/)
  if (first < 0 || name[first] === '.') return name
  return name.replace(/[./]/g, c => (c === '.' ? '/' : '.'))
}

function oneOf(value: string | undefined, supported: readonly string[], path: Path, errors: FieldErrors): void {
  if (value !== undefined && !supported.includes(value)) errors.notSupported(path, value, supported)
}

function validateSeccomp(profile: SeccompProfile | undefined, path: Path, errors: FieldErrors): void {
  if (!profile) return
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined']
  if (!profile.type) errors.required(path.child('type'), 'type is required when seccompProfile is set')
  else if (!types.includes(profile.type)) errors.notSupported(path.child('type'), profile.type, types)
  const file = path.child('localhostProfile')
  if (profile.type === 'Localhost') {
    if (profile.localhostProfile === undefined) errors.required(file, 'must be set when seccomp type is Localhost')
    else validateLocalDescendingPath(profile.localhostProfile, file, errors)
  } else if (profile.localhostProfile !== undefined) {
    errors.invalid(file, internalText('core.v1.SeccompProfile', profile), 'can only be set when seccomp type is Localhost')
  }
}

const maxAppArmorName = 4095

export function validateAppArmor(profile: AppArmorProfile | undefined, path: Path, errors: FieldErrors): void {
  if (!profile) return
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined']
  const file = path.child('localhostProfile')
  const name = profile.localhostProfile
  if (profile.type === 'Localhost') {
    if (name === undefined) errors.required(file, 'must be set when AppArmor type is Localhost')
    else if (name.trim() !== name) errors.invalid(file, name, 'must not be padded with whitespace')
    else if (name === '') errors.required(file, 'must be set when AppArmor type is Localhost')
    else if (name.length > maxAppArmorName) errors.tooLong(file, maxAppArmorName)
  } else if (types.includes(profile.type)) {
    if (name !== undefined) errors.invalid(file, namedText(name), 'can only be set when AppArmor type is Localhost')
  } else if (!profile.type) errors.required(path.child('type'), 'type is required when appArmorProfile is set')
  else errors.notSupported(path.child('type'), profile.type, types)
}

/** Requires either that all containers are Windows HostProcess containers on the host's network, or that none is. */
export function validateWindowsHostProcess(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const byPod = spec.securityContext?.windowsOptions?.hostProcess
  const effective = containersWithPaths(spec, path).map(([{ securityContext }, at]) => {
    const own = securityContext?.windowsOptions?.hostProcess
    if (byPod !== undefined && own !== undefined && own !== byPod) {
      const why = `pod hostProcess value must be identical if both are specified, was ${byPod}`
      errors.invalid(at.child('securityContext', 'windowsOptions', 'hostProcess'), own, why)
    }
    return own ?? byPod ?? false
  })
  if (!effective.includes(true)) return
  if (effective.includes(false))
    errors.invalid(path, '', 'If pod contains any hostProcess containers then all containers must be HostProcess containers')
  if (!spec.hostNetwork)
    errors.invalid(
      path.child('hostNetwork'),
      spec.hostNetwork ?? false,
      'hostNetwork must be true if pod contains any hostProcess containers'
    )
  if (!errors.allowPrivileged) errors.forbidden(path, 'hostProcess containers are disallowed by cluster policy')
}

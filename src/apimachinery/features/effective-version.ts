/**
 * The release that a server behaves as, and the oldest one that it must be able to work with (KEP-4330: Compatibility Versions).
 * Releases are told by their minor version: 37 is Kubernetes 1.37.
 */
import { kubernetesMinor, oldestEmulatedMinor } from '../../util/kubernetes-version.js'
import { UserError } from '../../util/user-error.js'

export interface EffectiveVersion {
  readonly emulated: number
  readonly minCompatibility: number
}

export const ownVersion: EffectiveVersion = { emulated: kubernetesMinor, minCompatibility: kubernetesMinor - 1 }

/**
 * Reads --emulated-version and --min-compatibility-version, each `1.35` or `kube=1.35`. Throws a UserError in kube-apiserver's words.
 */
export function effectiveVersion(
  emulatedVersion: readonly string[] = [],
  minCompatibilityVersion: readonly string[] = []
): EffectiveVersion {
  const emulated = minorOf('--emulated-version', emulatedVersion) ?? kubernetesMinor
  const minCompatibility =
    minorOf('--min-compatibility-version', minCompatibilityVersion) ?? Math.max(oldestEmulatedMinor, emulated - 1)
  const problems: string[] = []
  if (emulated < oldestEmulatedMinor || emulated > kubernetesMinor)
    problems.push(`emulation version 1.${emulated} is not between [1.${oldestEmulatedMinor}, 1.${kubernetesMinor}.0]`)
  if (minCompatibility < oldestEmulatedMinor || minCompatibility > emulated)
    problems.push(
      `minCompatibilityVersion version 1.${minCompatibility} is not between [1.${oldestEmulatedMinor}, 1.${emulated}]`
    )
  if (problems.length > 0) throw new UserError(problems.join(', '))
  return { emulated, minCompatibility }
}

/** The minor version of the component kube. */
function minorOf(flag: string, settings: readonly string[]): number | undefined {
  let found: string | undefined
  for (const setting of settings) {
    if (setting === '') continue
    const equals = setting.indexOf('=')
    const component = equals < 0 ? 'kube' : setting.slice(0, equals).trim()
    const version = setting.slice(equals + 1).trim()
    if (component !== 'kube') throw new UserError(`${flag}: component not registered: ${component}`)
    const [, major, patch] = /^v?(\d+)\.\d+(?:\.(\d+))?$/.exec(version) ?? []
    if (major === undefined) throw new UserError(`${flag}: could not parse "${version}" as version`)
    if (Number(patch ?? 0) !== 0) throw new UserError(`${flag}: patch version not allowed, got: kube=${version}`)
    if (found !== undefined) throw new UserError(`${flag}: duplicate version flag, kube=${found} and kube=${version}`)
    if (major !== '1')
      throw new UserError(`${flag}: version ${version} is not between [1.${oldestEmulatedMinor}, 1.${kubernetesMinor}]`)
    found = version.replace(/^v/, '')
  }
  return found === undefined ? undefined : Number(found.split('.')[1])
}

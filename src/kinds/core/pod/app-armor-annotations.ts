/** Converts the AppArmor annotations, which the field appArmorProfile has replaced. */
import type { AppArmorProfile, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { equalJson } from '../../../util/json.js'
import { validateAppArmor } from '../container/security-context-validation.js'
import { allContainers } from './spec-defaults.js'

export const appArmorKey = (container: string): string => `container.apparmor.security.beta.kubernetes.io/${container}`

export const deprecatedAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead'

const localhost = 'localhost/'

/** Returns the field's value for an annotation; undefined when there is none. */
export function appArmorProfileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  const localhostProfile = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : ''
  return localhostProfile === '' ? undefined : { type: 'Localhost', localhostProfile }
}

/** Sets the fields of a new Pod from its annotations, and warns of the annotations. */
export function takeOverAppArmor({ metadata, spec }: Pod, warn: (text: string) => void): void {
  if (spec.os?.name === 'windows') return
  for (const container of allContainers(spec)) {
    const key = appArmorKey(container.name)
    const annotation = metadata.annotations?.[key]
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue
    const profile = appArmorProfileOf(annotation)
    const valid = profile && isValid(profile)
    if (valid && equalJson(profile, spec.securityContext?.appArmorProfile)) continue
    if (valid) container.securityContext = { ...container.securityContext, appArmorProfile: profile }
    warn(`${Path.of('metadata', 'annotations').key(key)}: ${deprecatedAppArmor}`)
  }
}

function isValid(profile: AppArmorProfile): boolean {
  const errors = new FieldErrors()
  validateAppArmor(profile, Path.of('profile'), errors)
  return !errors.any
}

/** Refuses fields that the Pod's operating system does not have. */

import type { PodSecurityContext, PodSpec, SecurityContext } from '../../../apimachinery/api/generated/core-v1.js'
import { given } from '../../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { containersWithPaths } from './annotations-validation.js'

const notOnWindows = 'cannot be set for a windows pod'
const notOnLinux = 'windows options cannot be set for a linux pod'

export function validatePodOS(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (!spec.os) return
  const { name } = spec.os
  if (!name) errors.required(path.child('os', 'name'))
  else if (name !== 'linux' && name !== 'windows') errors.notSupported(path.child('os'), name, ['linux', 'windows'])
  if (name === 'linux') validateLinux(spec, path, errors)
  if (name === 'windows') validateWindows(spec, path, errors)
}

function eachContainer(spec: PodSpec, path: Path, visit: (context: SecurityContext, at: Path) => void): void {
  for (const [{ securityContext }, at] of containersWithPaths(spec, path))
    if (securityContext) visit(securityContext, at.child('securityContext'))
}

function validateLinux(spec: PodSpec, path: Path, errors: FieldErrors): void {
  if (spec.securityContext?.windowsOptions) errors.forbidden(path.child('securityContext', 'windowsOptions'), notOnLinux)
  eachContainer(spec, path, (context, at) => {
    if (context.windowsOptions) errors.forbidden(at.child('windowsOptions'), notOnLinux)
  })
}

const podFields: readonly (keyof PodSecurityContext)[] = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy'
]
const hostFields: readonly (keyof PodSpec)[] = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace']
const containerFields: readonly (keyof SecurityContext)[] = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup'
]

function validateWindows(spec: PodSpec, path: Path, errors: FieldErrors): void {
  const context = spec.securityContext
  const at = path.child('securityContext')
  for (const field of podFields) {
    // an empty list of groups counts, one of sysctls does not
    const value = field === 'sysctls' ? context?.sysctls : given(context, field)
    if (value !== undefined) errors.forbidden(at.child(field), notOnWindows)
  }
  for (const field of hostFields) {
    const isPointer = field === 'hostUsers' || field === 'shareProcessNamespace'
    if (isPointer ? spec[field] !== undefined : spec[field]) errors.forbidden(path.child(field), notOnWindows)
  }
  eachContainer(spec, path, (container, place) => {
    for (const field of containerFields) if (container[field] !== undefined) errors.forbidden(place.child(field), notOnWindows)
  })
}

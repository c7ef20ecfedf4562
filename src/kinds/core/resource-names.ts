/** What the names of resources say: "cpu", "hugepages-2Mi", "example.com/gpu", "requests.storage". */
import type { FieldErrors, Path } from '../../validation/field.js'
import { isQualifiedName } from '../../validation/names.js'

/** Resources that are counted in whole ones. */
export const countedResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers'
])

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...[...containerResources].flatMap(name => [`requests.${name}`, `limits.${name}`]),
  ...countedResources,
  'storage',
  'requests.storage'
])

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-')

/** Kubernetes' own names: those without a domain, and those under its own. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/')

/** Names under a domain, which are counted whole: "example.com/gpu". A quota has to be able to name them, too. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0

/** Whether more of a resource may be asked for in total than there is. */
export const canBeOvercommitted = (name: string): boolean => isNativeResource(name) && !isHugePages(name)

export const isCountedWhole = (name: string): boolean => countedResources.has(name) || isExtendedResource(name)

export const isContainerResource = (name: string): boolean => containerResources.has(name) || isHugePages(name)

export function validateResourceName(name: string, path: Path, errors: FieldErrors): void {
  const wrong = isQualifiedName(name)
  for (const e of wrong) errors.invalid(path, name, e)
  if (wrong.length > 0 || name.includes('/') || standardResources.has(name) || /^(requests\.)?hugepages-/.test(name)) return
  errors.invalid(path, name, 'must be a standard resource type or fully qualified')
}

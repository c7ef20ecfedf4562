/** Classifies names of resources: "cpu", "hugepages-2Mi", "example.com/gpu", "requests.storage". */
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'

/** Resources whose quantities are whole numbers. */
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

/** Whether the name is one of Kubernetes' own: it has no domain, or Kubernetes' domain. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/')

/** Whether the resource is an extended one: "example.com/gpu". For quotas, the name must also be valid after "requests.". */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0

/** Whether the limits of a resource may exceed what a node has. */
export const canBeOvercommitted = (name: string): boolean => isNativeResource(name) && !isHugePages(name)

export const isCountedWhole = (name: string): boolean => countedResources.has(name) || isExtendedResource(name)

export const isContainerResource = (name: string): boolean => containerResources.has(name) || isHugePages(name)

export function validateResourceName(name: string, path: Path, errors: FieldErrors): void {
  const wrong = isQualifiedName(name)
  for (const e of wrong) errors.invalid(path, namedText(name), e)
  if (wrong.length > 0 || name.includes('/') || standardResources.has(name) || /^(requests\.)?hugepages-/.test(name)) return
  errors.invalid(path, namedText(name), 'must be a standard resource type or fully qualified')
}

/** The rules that Kubernetes writes as functions beside its types, and declares as `+k8s:customValidation`. */
import type { Check } from './checks.js'

const reservedDomains = ['.k8s.io', '.kubernetes.io']
const reservedPriorities = 1000

/** Refuses keys whose domain belongs to Kubernetes. */
const unreservedDomain: Check = ({ value }) => {
  if (typeof value !== 'string') return undefined
  const domain = value.split('/', 1)[0]!.toLowerCase().trim().replace(/\.+$/, '')
  if (!reservedDomains.some(suffix => domain.endsWith(suffix) || domain === suffix.slice(1))) return undefined
  const list = reservedDomains.map(suffix => `*${suffix}`).join(', ')
  return [(path, errors) => errors.invalid(path, value, `domain names ${list} are reserved`)]
}

const unreservedPriority: Check = ({ value }) =>
  typeof value === 'number' && value >= 0 && value < reservedPriorities
    ? [(path, errors) => errors.invalid(path, value, 'priorities 0-999 are reserved for responders with *.k8s.io suffix')]
    : undefined

/** By type and field. */
export const customChecks: Readonly<Record<string, Check>> = {
  'core.v1.EvictionResponder.name': unreservedDomain,
  'core.v1.EvictionResponder.priority': unreservedPriority,
  'lifecycle.v1alpha1.EvictionRequestSpec.requester': unreservedDomain
}

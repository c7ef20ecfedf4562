/** Binds the kinds' declarations of subresources, and of kinds that are never stored, to their implementations. */
import type { KindDefinition } from '../../registry/kind.js'
import type { Services } from '../../registry/services.js'
import { componentStatusOf } from './component-statuses/component-status.js'
import type { Implementation } from './implementation.js'
import { proxyToNode } from './nodes/proxy.js'
import { podBinding, virtualBinding } from './pods/binding.js'
import { podEviction } from './pods/eviction.js'
import { podLog } from './pods/log.js'
import { podPortForward } from './pods/port-forward.js'
import { proxyToPod } from './pods/proxy.js'
import { podStream } from './pods/stream.js'
import { localSubjectAccessReview, selfSubjectAccessReview, subjectAccessReview } from './reviews/access-review.js'
import { selfSubjectReview } from './reviews/self-subject-review.js'
import { selfSubjectRulesReview } from './reviews/self-subject-rules-review.js'
import { tokenReview } from './reviews/token-review.js'
import { serviceAccountToken } from './serviceaccounts/token.js'
import { proxyToService } from './services/proxy.js'

/** The implementations by resource and group, followed by the name of the subresource. */
export const implementations: Readonly<Record<string, Implementation>> = {
  bindings: virtualBinding,
  'localsubjectaccessreviews.authorization.k8s.io': localSubjectAccessReview,
  'nodes/proxy': proxyToNode,
  'pods/attach': podStream,
  'pods/binding': podBinding,
  'pods/eviction': podEviction,
  'pods/exec': podStream,
  'pods/log': podLog,
  'pods/portforward': podPortForward,
  'pods/proxy': proxyToPod,
  'selfsubjectaccessreviews.authorization.k8s.io': selfSubjectAccessReview,
  'selfsubjectreviews.authentication.k8s.io': selfSubjectReview,
  'selfsubjectrulesreviews.authorization.k8s.io': selfSubjectRulesReview,
  'serviceaccounts/token': serviceAccountToken,
  'services/proxy': proxyToService,
  'subjectaccessreviews.authorization.k8s.io': subjectAccessReview,
  'tokenreviews.authentication.k8s.io': tokenReview
}

/** Computes the objects of kinds that are never stored, by resource and group. */
export const computations: Readonly<Record<string, (name: string, services: Services) => Promise<object>>> = {
  componentstatuses: componentStatusOf
}

/** Returns the name of a resource in the tables above: "pods", "tokenreviews.authentication.k8s.io". */
export const resourceKey = ({ group, resource }: KindDefinition): string => (group === '' ? resource : `${resource}.${group}`)

/** Returns the implementation of a subresource, or ('') of a kind that is never stored; undefined for parts of stored objects. */
export function implementationOf(kind: KindDefinition, subresource: string): Implementation | undefined {
  const key = subresource === '' ? resourceKey(kind) : `${resourceKey(kind)}/${subresource}`
  return Object.hasOwn(implementations, key) ? implementations[key] : undefined
}

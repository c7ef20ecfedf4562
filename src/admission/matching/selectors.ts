/** Label selectors say which objects, and objects in which namespaces, a webhook or policy is about. */
import * as refs from '../../api/resources.js'
import { type LabelMatcher, type LabelSelector, labelSelectorMatcher } from '../../selectors/labels.js'
import { notFound } from '../../status/status.js'
import type { AdmissionAttributes } from '../admission.js'
import { isScale } from './served-resource.js'

/** undefined for a selector that everything matches. */
export function compileSelector(selector: LabelSelector | undefined): LabelMatcher | undefined {
  if (selector && !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length) return undefined
  return labelSelectorMatcher(selector)
}

const noLabels = {}

/** An object that has lost its labels is still the one that had them. A Scale has none. */
export function objectMatches(selector: LabelMatcher | undefined, attributes: AdmissionAttributes): boolean {
  if (!selector) return true
  const { resource, subresource, object, oldObject } = attributes
  if (isScale(resource, subresource)) return selector(noLabels)
  return (
    (object !== undefined && selector(object.metadata?.labels ?? noLabels)) ||
    (oldObject !== undefined && selector(oldObject.metadata?.labels ?? noLabels))
  )
}

/** What belongs to the cluster is never left out by its namespace. Throws a StatusError when the namespace is not there. */
export function namespaceMatches(selector: LabelMatcher | undefined, attributes: AdmissionAttributes): boolean {
  if (!selector) return true
  const { namespace, resource, subresource, operation, object, context } = attributes
  const isNamespace = resource.resource === 'namespaces'
  if (namespace === '' && !isNamespace) return true
  if (isNamespace && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return selector(object.metadata.labels ?? noLabels)
  const namespaces = context.services.registry.of(refs.namespaces)
  const found = namespaces.get('', namespace)
  if (!found) throw notFound(namespaces.groupResource, namespace)
  return selector(found.labels)
}

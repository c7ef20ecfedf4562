/** Label selectors limit a webhook or policy to some objects, or to the objects of some namespaces. */
import * as refs from '../../apimachinery/api/resources.js'
import { type LabelMatcher, type LabelSelector, labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import { notFound } from '../../apimachinery/status/status.js'
import { isObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { isScale } from './served-resource.js'

/** Returns undefined for a selector that matches everything. */
export function compileSelector(selector: LabelSelector | undefined): LabelMatcher | undefined {
  if (selector && !Object.keys(selector.matchLabels ?? {}).length && !selector.matchExpressions?.length) return undefined
  return labelSelectorMatcher(selector)
}

const noLabels = {}

/** Whether the selector matches the object or the old object, so that removing a label evades nothing. A Scale has no labels. */
export function objectMatches(selector: LabelMatcher | undefined, attributes: AdmissionAttributes): boolean {
  if (!selector) return true
  const { resource, subresource, operation, object, oldObject } = attributes
  if (isScale(resource, subresource)) return selector(noLabels)
  // options, such as those of an exec, have no metadata
  if (operation === 'CONNECT') return false
  return (object !== undefined && selector(labelsOf(object))) || (oldObject !== undefined && selector(labelsOf(oldObject)))
}

/** What a webhook has made of a custom resource may have labels of any type: then it has none. */
function labelsOf({ metadata }: any): Record<string, string> {
  const labels: unknown = metadata?.labels
  if (!isObject(labels)) return noLabels
  const values = Object.values(labels)
  if (!values.includes(null))
    return values.every(value => typeof value === 'string') ? (labels as Record<string, string>) : noLabels
  return labelsOf({ metadata: { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, value ?? ''])) } })
}

/** Whether the selector matches the namespace; cluster-scoped objects always match. Throws a 404 for a missing namespace. */
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

/** The labelSelector and fieldSelector parameters, as one test on a cached object. */
import type { Resource } from '../registry/resource.js'
import { parseFieldSelector } from '../selectors/fields.js'
import { parseLabelSelector, SelectorError } from '../selectors/labels.js'
import { badRequest } from '../server/status.js'
import type { FixedValue } from '../storage/cache-watchers.js'
import type { CachedObject } from '../storage/cached-object.js'
import { goQuote } from '../util/go-format.js'

export interface Selection {
  /** undefined: everything. */
  readonly matches: ((object: CachedObject) => boolean) | undefined
  /** The only name that can match, when the selector says so. */
  readonly name: string | undefined
  /** A label or field that has this value in every match. */
  readonly indexed: FixedValue | undefined
}

const everything: Selection = { matches: undefined, name: undefined, indexed: undefined }

export function parseSelection(query: URLSearchParams, resource: Resource): Selection {
  const labelText = query.get('labelSelector')
  const fieldText = query.get('fieldSelector')
  if (!labelText && !fieldText) return everything
  try {
    const labels = labelText ? parseLabelSelector(labelText) : undefined
    const fields = fieldText ? fieldMatcher(fieldText, resource) : undefined
    const { matches, name, indexed } = fields ?? everything
    if (!labels) return { matches, name, indexed }
    const byLabels = (object: CachedObject) => labels.matches(object.labels)
    return {
      matches: matches ? object => byLabels(object) && matches(object) : byLabels,
      name,
      indexed: indexed ?? (labels.equals && { of: 'labels', ...labels.equals })
    }
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message)
    throw error
  }
}

function fieldMatcher(text: string, resource: Resource): Selection {
  const requirements = parseFieldSelector(text)
  if (requirements.length === 0) return everything
  const known = resource.kind.selectableFields
  let name: string | undefined
  let indexed: Selection['indexed']
  const tests = requirements.map(({ field, operator, value }) => {
    if (
      field !== 'metadata.name' &&
      !(field === 'metadata.namespace' && (resource.namespaced || !known)) &&
      !(known && Object.hasOwn(known, field))
    ) {
      throw badRequest(unknownField(field, resource))
    }
    if (field === 'metadata.name' && operator === '=') name = value
    else if (field !== 'metadata.namespace' && operator === '=' && value !== '') indexed = { of: 'fields', key: field, value }
    const read: (o: CachedObject) => string =
      field === 'metadata.name' ? o => o.name : field === 'metadata.namespace' ? o => o.namespace : o => o.fields?.[field] ?? ''
    return operator === '=' ? (o: CachedObject) => read(o) === value : (o: CachedObject) => read(o) !== value
  })
  return { matches: tests.length === 1 ? tests[0] : object => tests.every(test => test(object)), name, indexed }
}

function unknownField(field: string, resource: Resource): string {
  if (resource.kind.selectableFields) return `field label not supported: ${field}`
  return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
}

/** Combines a label selector, a field selector and a selector of shards into one test on a cached object. */

import type { FieldRequirement } from '../../../apimachinery/selectors/fields.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { Resource } from '../../../registry/resource.js'
import type { FixedValue } from '../../../storage/cache-watchers.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import { goQuote } from '../../../util/go-format.js'
import type { ListOptions } from './list-options.js'
import type { ShardSelector } from './shards.js'

export interface Selection {
  /** Undefined: selects everything. */
  readonly matches: ((object: CachedObject) => boolean) | undefined
  /** The only name that can match, if the field selector names one. */
  readonly name: string | undefined
  /** A label or field that has this value in every match. */
  readonly indexed: FixedValue | undefined
}

const everything: Selection = { matches: undefined, name: undefined, indexed: undefined }

export function selectionOf(given: ListOptions, shards?: ShardSelector | undefined): Selection {
  const selection = byLabelsAndFields(given)
  if (!shards) return selection
  const { matches } = selection
  return {
    ...selection,
    matches: matches ? object => shards.matches(object) && matches(object) : object => shards.matches(object)
  }
}

function byLabelsAndFields({ labels, fields }: ListOptions): Selection {
  if (!labels && fields.length === 0) return everything
  const { matches, name, indexed } = byFields(fields)
  if (!labels) return { matches, name, indexed }
  const byLabels = (object: CachedObject) => labels.matches(object.labels)
  return {
    matches: matches ? object => byLabels(object) && matches(object) : byLabels,
    name,
    indexed: indexed ?? (labels.equals && { of: 'labels', ...labels.equals })
  }
}

function byFields(requirements: readonly FieldRequirement[]): Selection {
  if (requirements.length === 0) return everything
  let name: string | undefined
  let indexed: Selection['indexed']
  const rules = new Map<string, FieldRule>()
  for (const { field, operator, value } of requirements) {
    if (field === 'metadata.name' && operator === '=') name = value
    else if (field !== 'metadata.namespace' && operator === '=' && value !== '') indexed = { of: 'fields', key: field, value }
    let rule = rules.get(field)
    if (!rule) rules.set(field, (rule = { equal: new Set(), other: new Set() }))
    rule[operator === '=' ? 'equal' : 'other'].add(value)
  }
  const tests = [...rules].map(([field, rule]) => testOf(field, rule))
  return { matches: tests.length === 1 ? tests[0] : object => tests.every(test => test(object)), name, indexed }
}

/** What all requirements together say of one field. */
interface FieldRule {
  readonly equal: Set<string>
  readonly other: Set<string>
}

function testOf(field: string, { equal, other }: FieldRule): (object: CachedObject) => boolean {
  const read: (o: CachedObject) => string =
    field === 'metadata.name' ? o => o.name : field === 'metadata.namespace' ? o => o.namespace : o => o.fields?.[field] ?? ''
  const [value] = equal
  if (value === undefined) return object => !other.has(read(object))
  return equal.size === 1 && !other.has(value) ? object => read(object) === value : () => false
}

const unsupported = (field: string) => `field label not supported: ${field}`

/** Throws 400 for a field that the resource does not support in field selectors. */
export function checkFields(requirements: readonly FieldRequirement[], { kind, namespaced }: Resource, version: string): void {
  const { fields: known, unknown = unsupported } = kind.fieldSelectors ?? {}
  for (const { field } of requirements) {
    if (field === 'metadata.name' || (field === 'metadata.namespace' && (namespaced || !known))) continue
    if (known && Object.hasOwn(known, field)) continue
    throw badRequest(
      known
        ? unknown(field, version)
        : `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
    )
  }
}

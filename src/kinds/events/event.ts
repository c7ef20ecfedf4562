import type { Event as CoreEvent } from '../../api/generated/core-v1.js'
import type { Event } from '../../api/generated/events-v1.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import type { FieldErrors } from '../../validation/field.js'
import { invalidObject } from '../../validation/invalid.js'
import { builtinColumns } from '../columns.js'
import { eventRules, eventValues } from './event-rules.js'

/** The core group's Event in newer words. */
export const eventsEvent = defineKind<CoreEvent>({
  group: 'events.k8s.io',
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  storagePath: 'events',
  storedAs: { group: '', version: 'v1' },
  versions: [
    { name: 'core', type: 'core.v1.Event', apiVersion: 'v1', served: false },
    { name: 'v1', type: 'events.v1.Event', toStorage, fromStorage }
  ],
  columns: builtinColumns('events', eventValues),
  ...eventRules,
  selectableFields: Object.fromEntries(
    Object.entries(eventRules.selectableFields).flatMap(([field, value]) => (field === 'source' ? [] : [[newName(field), value]]))
  ),
  validateCreate(event, errors) {
    if (event.eventTime === null) errors.required('eventTime')
    if (event.type !== 'Normal' && event.type !== 'Warning') errors.invalid('type', '', `has invalid value: ${event.type ?? ''}`)
    throwAsCore(event, errors)
  },
  validateUpdate(event, old, errors) {
    for (const field of immutable)
      if (!equalJson(event[field], old[field])) errors.invalid(field, event[field], 'field is immutable')
    throwAsCore(event, errors)
  }
})

function newName(field: string): string {
  if (field === 'reportingComponent') return 'reportingController'
  return field.replace(/^involvedObject\./, 'regarding.')
}

/** What only the core group's Event lets change. The reason is looked at twice: observed so. */
const immutable = [
  'involvedObject',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'reason',
  'type',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance'
] as const

/** Errors name the core group, in whose type the object is. */
function throwAsCore({ metadata }: CoreEvent, errors: FieldErrors): void {
  if (errors.any) throw invalidObject({ group: '', kind: 'Event' }, metadata.name ?? '', errors)
}

function toStorage(event: Event): Omit<CoreEvent, 'kind' | 'apiVersion'> {
  const {
    regarding,
    note,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    reportingController,
    reportingInstance,
    kind: _,
    apiVersion: __,
    ...same
  } = event
  return {
    ...same,
    involvedObject: regarding,
    ...(note === undefined ? {} : { message: note }),
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    ...(deprecatedCount === undefined ? {} : { count: deprecatedCount }),
    reportingComponent: reportingController ?? '',
    reportingInstance: reportingInstance ?? ''
  }
}

function fromStorage(event: CoreEvent): Omit<Event, 'kind' | 'apiVersion'> {
  const {
    involvedObject,
    message,
    source,
    firstTimestamp,
    lastTimestamp,
    count,
    reportingComponent,
    reportingInstance,
    series,
    kind: _,
    apiVersion: __,
    ...same
  } = event
  return {
    ...same,
    ...(series ? { series: { count: series.count ?? 0, lastObservedTime: series.lastObservedTime } } : {}),
    ...(reportingComponent ? { reportingController: reportingComponent } : {}),
    ...(reportingInstance ? { reportingInstance } : {}),
    regarding: involvedObject,
    ...(message === undefined ? {} : { note: message }),
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    ...(count === undefined ? {} : { deprecatedCount: count })
  }
}

import type { Event as CoreEvent } from '../../apimachinery/api/generated/core-v1.js'
import type { Event } from '../../apimachinery/api/generated/events-v1.js'
import type { FieldErrors } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { eventFields, eventValues, validateEvent } from './event-rules.js'

/** The Event of events.k8s.io: the core group's Event with newer field names. */
export const eventsEvent = defineKind<CoreEvent>({
  group: 'events.k8s.io',
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  versions: [
    { name: 'core', type: 'core.v1.Event', apiVersion: 'v1', served: false },
    { name: 'v1', type: 'events.v1.Event', toStorage, fromStorage }
  ],
  storage: {
    path: 'events',
    storedAs: { group: '', version: 'v1' },
    uncached: true,
    expires: true
  },
  fieldSelectors: {
    fields: Object.fromEntries(
      Object.entries(eventFields).flatMap(([field, value]) => (field === 'source' ? [] : [[newName(field), value]]))
    )
  },
  table: { columns: builtinColumns('events', eventValues) },
  strategy: {
    allowCreateOnUpdate: true,
    createChecks: ['validate', 'objectMeta', 'validateCreate'],
    updateChecks: ['validate', 'objectMetaUpdate', 'validateUpdate'],
    validate: (event, errors) => validateEvent(event, 'reportingController', errors),
    validateCreate(event, errors) {
      validateSeries(event, errors)
      if (event.eventTime === null) errors.required('eventTime')
      if (event.type !== 'Normal' && event.type !== 'Warning')
        errors.invalid('type', '', `has invalid value: ${event.type ?? ''}`)
      const unset = (field: string, value: unknown) => void (value && errors.invalid(field, '', 'needs to be unset'))
      unset('firstTimestamp', event.firstTimestamp)
      unset('lastTimestamp', event.lastTimestamp)
      unset('count', event.count)
      unset('source', event.source?.component || event.source?.host)
    },
    validateUpdate(event, old, errors) {
      if (!equalJson(event.series, old.series)) validateSeries(event, errors)
      for (const [field, type, path = field] of immutable) {
        const value = event[field]
        if (equalJson(value, old[field])) continue
        const shown = type !== undefined && value ? internalText(type, value) : (value ?? zeroOf(field))
        errors.invalid(path, shown, 'field is immutable')
      }
    }
  },
  deletion: { defaultPropagation: () => 'Unsupported' }
})

const nullable: ReadonlySet<keyof CoreEvent> = new Set(['eventTime', 'firstTimestamp', 'lastTimestamp', 'related'])

/** Returns what errors print for a missing field. */
function zeroOf(field: keyof CoreEvent): unknown {
  if (field === 'count') return 0
  return nullable.has(field) ? null : ''
}

function newName(field: string): string {
  if (field === 'reportingComponent') return 'reportingController'
  return field.replace(/^involvedObject\./, 'regarding.')
}

function validateSeries({ series }: CoreEvent, errors: FieldErrors): void {
  if (!series) return
  if ((series.count ?? 0) < 2) errors.invalid('series.count', '', 'should be at least 2')
  if (!series.lastObservedTime) errors.required('series.lastObservedTime')
}

/** Fields that are immutable here but not in the core group, with the types of structs. kube-apiserver checks the reason twice. */
const immutable: readonly (readonly [field: keyof CoreEvent, type?: string | undefined, path?: string])[] = [
  ['involvedObject', 'core.v1.ObjectReference'],
  ['reason'],
  ['message'],
  ['source', 'core.v1.EventSource'],
  ['firstTimestamp'],
  ['lastTimestamp'],
  ['count'],
  ['reason'],
  ['type'],
  ['eventTime'],
  ['action'],
  ['related', 'core.v1.ObjectReference'],
  ['reportingComponent', undefined, 'reportingController'],
  ['reportingInstance']
]

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

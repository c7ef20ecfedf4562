import type { Event as CoreEvent } from '../../api/generated/core-v1.js'
import type { Event } from '../../api/generated/events-v1.js'
import { defineKind } from '../../registry/kind.js'
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
  ...eventRules
})

function toStorage(event: Event): Omit<CoreEvent, 'kind' | 'apiVersion'> {
  const { regarding, note, deprecatedSource, deprecatedFirstTimestamp, deprecatedLastTimestamp, deprecatedCount, reportingController, reportingInstance, kind: _, apiVersion: __, ...same } = event
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
  const { involvedObject, message, source, firstTimestamp, lastTimestamp, count, reportingComponent, reportingInstance, series, kind: _, apiVersion: __, ...same } = event
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

import type { Event } from '../../api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { eventRules, eventValues } from '../events/event-rules.js'

export const event = defineKind<Event>({
  group: '',
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Event' }],
  columns: builtinColumns('events', eventValues),
  ...eventRules,
  uncached: true,
  onlyGenericMetadata: true
})

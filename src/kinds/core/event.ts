import type { Event } from '../../apimachinery/api/generated/core-v1.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { eventFields, eventValues, validateEvent } from '../events/event-rules.js'

export const event = defineKind<Event>({
  group: '',
  kind: 'Event',
  resource: 'events',
  shortNames: ['ev'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.Event' }],
  storage: { uncached: true, expires: true },
  fieldSelectors: { fields: eventFields },
  table: { columns: builtinColumns('events', eventValues) },
  strategy: {
    allowCreateOnUpdate: true,
    createChecks: ['validate', 'validateCreate'],
    updateChecks: ['validate'],
    validate: (o, errors) => validateEvent(o, 'reportingComponent', errors)
  },
  deletion: { defaultPropagation: () => 'Unsupported' }
})

/** The rules of Events, which two groups serve. Both show the same stored objects, which have the core group's type. */
import type { Event } from '../../apimachinery/api/generated/core-v1.js'
import type { ColumnContext } from '../../apimachinery/formats/column.js'
import type { FieldErrors } from '../../apimachinery/validation/field.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'

const maxReason = 128
const maxNote = 1024
const isNewStyle = (event: Event) => event.eventTime !== null && event.eventTime !== undefined

export const eventFields: Readonly<Record<string, (o: Event) => string>> = {
  'involvedObject.kind': o => o.involvedObject.kind ?? '',
  'involvedObject.namespace': o => o.involvedObject.namespace ?? '',
  'involvedObject.name': o => o.involvedObject.name ?? '',
  'involvedObject.uid': o => o.involvedObject.uid ?? '',
  'involvedObject.apiVersion': o => o.involvedObject.apiVersion ?? '',
  'involvedObject.resourceVersion': o => o.involvedObject.resourceVersion ?? '',
  'involvedObject.fieldPath': o => o.involvedObject.fieldPath ?? '',
  reason: o => o.reason ?? '',
  reportingComponent: o => o.reportingComponent,
  source: o => o.source.component || o.reportingComponent,
  type: o => o.type ?? ''
}

/** Validates the rules of both groups. `controllerField` is the group's name for the reporting component. */
export function validateEvent(o: Event, controllerField: string, errors: FieldErrors): void {
  const { namespace } = o.metadata
  const involved = o.involvedObject.namespace ?? ''
  // events of cluster-scoped objects are in the default namespace, those of the new style also in kube-system
  const expected =
    involved !== '' ? [isNewStyle(o) ? namespace : involved] : ['default', ...(isNewStyle(o) ? ['kube-system'] : [])]
  if (!expected.includes(namespace)) errors.invalid('involvedObject.namespace', involved, 'does not match event.namespace')
  if (isNewStyle(o)) validateNewStyle(o, controllerField, errors)
}

function validateNewStyle(o: Event, controllerField: string, errors: FieldErrors): void {
  if (!o.reportingComponent) errors.required(controllerField)
  for (const e of isQualifiedName(o.reportingComponent)) errors.invalid(controllerField, o.reportingComponent, e)
  const validateText = (field: 'reportingInstance' | 'action' | 'reason' | 'message', limit: number) => {
    const text = o[field] ?? ''
    if (text === '' && field !== 'message') errors.required(field)
    if (Buffer.byteLength(text) > limit) errors.invalid(field, '', `can have at most ${limit} characters`)
  }
  validateText('reportingInstance', maxReason)
  validateText('action', maxReason)
  validateText('reason', maxReason)
  validateText('message', maxNote)
}

const componentOf = ({ source, reportingComponent, reportingInstance }: Event) => {
  const component = source.component || reportingComponent
  const host = source.host || reportingInstance
  return host ? `${component}, ${host}` : component
}

export const eventValues: Record<string, (o: Event, context: ColumnContext) => unknown> = {
  'Last Seen': (o, context) =>
    context.since(o.series ? o.series.lastObservedTime : (o.lastTimestamp ?? o.firstTimestamp ?? o.eventTime)),
  Type: o => o.type ?? '',
  Reason: o => o.reason ?? '',
  Object: ({ involvedObject: { kind = '', name } }) => kind.toLowerCase() + (name ? `/${name}` : ''),
  Subobject: o => o.involvedObject.fieldPath ?? '',
  Source: componentOf,
  Message: o => (o.message ?? '').trim(),
  'First Seen': (o, context) => context.since(o.firstTimestamp ?? o.eventTime),
  Count: o => (o.series ? (o.series.count ?? 0) : o.count || 1),
  Name: o => o.metadata.name
}

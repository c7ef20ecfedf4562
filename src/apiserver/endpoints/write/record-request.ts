/** Keeps what a request's body says for audit, in the form that kube-apiserver records. */
import { jsonSyntaxError } from '../../../apimachinery/formats/json-syntax.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { AuditLevel } from '../../../apimachinery/request/record.js'
import { cloneDecoded } from '../../../apimachinery/schema/decode.js'
import type { Operation } from '../../../registry/write/operation.js'
import { compactJson } from '../../../util/compact-json.js'
import { exactJson } from '../../../util/exact-json.js'
import { sortedJson } from '../../../util/sorted-json.js'

/** An object to be stored: in the version that was sent, with the defaults of its kind, but nothing that the server sets. */
export function recordObject({ record }: RequestContext, operation: Operation, object: any): void {
  if (record.auditLevel === AuditLevel.None) return
  const { resource, version } = operation
  record.request(object.metadata, () => {
    const stored = resource.toStorage(cloneDecoded(object), version)
    resource.kind.strategy?.default?.(stored, operation)
    const shown = withoutManagedFields(record.omitsManagedFields, resource.inVersion(stored, version))
    return resource.kind.custom ? sortedJson(shown) : exactJson(shown)
  })
}

/** An object that asks for something and is not stored. */
export function recordQuestion({ record }: RequestContext, object: any): void {
  if (record.auditLevel === AuditLevel.None) return
  record.request(object.metadata, () => exactJson(withoutManagedFields(record.omitsManagedFields, object)))
}

function withoutManagedFields(omit: boolean, object: any): any {
  if (!omit || object.metadata?.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** Options are recorded in kube-apiserver's internal version, whichever was sent. */
export function recordOptions({ record }: RequestContext, { kind: _, apiVersion: __, ...options }: any): void {
  record.request(undefined, () =>
    exactJson({ kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/__internal', ...options, metadata: undefined })
  )
}

/**
 * A patch is recorded as it was sent. One that is not JSON, such as an applied configuration in YAML, cannot stand in an event:
 * kube-apiserver counts an error and writes no event of the request from here on.
 */
export function recordPatch({ record }: RequestContext, body: Buffer): void {
  if (record.auditLevel < AuditLevel.Request) return
  const wrong = jsonSyntaxError(body)
  if (wrong !== undefined) record.unwritable = `json: error calling MarshalJSON for type *runtime.Unknown: ${wrong}`
  else record.requestJson = compactJson(body.toString())
}

/** Who owns the fields of an object, since when, and through which recorded request. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { type FieldOwner, fieldOwners, type OwnedField } from '../../apimachinery/fieldmanager/field-owners.js'
import type { RecordedRequest } from '../recorder/recorded-request.js'

export interface ExplainedField {
  readonly path: string
  readonly owners: readonly (FieldOwner & { readonly request?: WritingRequest })[]
}

/** A recorded request that wrote the object at the time that the field's manager has. */
export interface WritingRequest {
  readonly number: number
  readonly auditId: string
  readonly time: string
  readonly user: string
  readonly method: string
  readonly url: string
}

/** `writers` are the recorded requests that wrote the object, the oldest first. */
export const explainFields = (
  object: KubeObject,
  field: string,
  writers: readonly RecordedRequest[] = []
): readonly ExplainedField[] => fieldOwners(object.metadata.managedFields, field).map(owned => withRequests(owned, writers))

function withRequests({ path, owners }: OwnedField, writes: readonly RecordedRequest[]): ExplainedField {
  return {
    path,
    owners: owners.map(owner => {
      // managers have whole seconds
      const found = writes.findLast(({ time }) => owner.time !== undefined && time.slice(0, 19) === owner.time.slice(0, 19))
      if (!found) return owner
      const { number, auditId, time, user, impersonated, method, url } = found
      return { ...owner, request: { number, auditId, time, user: impersonated ?? user, method, url } }
    })
  }
}

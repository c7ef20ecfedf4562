/** Takes the first steps of a write for an object that asks for something and is not stored, up to its answer. */
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { emptyObject } from '../../apimachinery/fieldmanager/empty-object.js'
import { trackUpdate } from '../../apimachinery/fieldmanager/managed-fields.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import { timestamp } from '../../util/time.js'
import { dropDuplicateOwners } from './admitted-object.js'
import type { Operation } from './operation.js'
import { wipeSystemFields } from './steps/identify.js'
import { trackObject } from './steps/track.js'

/** An object of a kind that is never stored. */
export async function admitReview(operation: Operation, object: KubeObject): Promise<void> {
  wipeSystemFields(object.metadata)
  dropDuplicateOwners(object, operation, false)
  await trackObject(operation, object)
  await admit(operation, object.metadata.name ?? '', object)
}

/** The body of a subresource that is not a part of its object, and has a type of its own. */
export async function admitBody(
  operation: Operation,
  name: string,
  { type, apiVersion }: { readonly type: StructType; readonly apiVersion: string },
  body: KubeObject
): Promise<void> {
  dropDuplicateOwners(body, operation, false)
  trackUpdate(type, emptyObject(type), body, { ...operation.manager, apiVersion }, timestamp(operation.now))
  await admit(operation, name, body)
}

const admit = (operation: Operation, name: string, object: KubeObject): Promise<void> =>
  operation.admission.admit(operation.attributes('CREATE', name, object, undefined))

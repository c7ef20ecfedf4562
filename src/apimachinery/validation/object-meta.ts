/** Validates the metadata of all objects (k8s.io/apimachinery's ValidateObjectMeta and its update rules). */

import { compareText, goQuote, sortedKeys } from '../../util/go-format.js'
import type { ObjectMeta, OwnerReference } from '../api/generated/meta-v1.js'
import { type FieldErrors, Path } from './field.js'
import { namedText } from './go-value.js'
import { validateManagerName } from './manager-name.js'
import { isLabelValue, isQualifiedName, nameIsLabel, nameIsPathSegment, nameIsSubdomain } from './names.js'
import { validateNonNegative } from './numbers.js'

/** The properties of a kind that validation depends on. */
export interface ValidatedKind {
  readonly group: string
  /** Set when a CustomResourceDefinition declares the kind. */
  readonly custom?: object
  readonly validateName?: (name: string, prefix: boolean, object: any, gates: Pick<FieldErrors, 'enabled'>) => string[]
}

const metadata = Path.of('metadata')
const maxAnnotationBytes = 256 * 1024
const maxSubresourceBytes = 256

export function validateObjectMeta(kind: ValidatedKind, object: { readonly metadata: ObjectMeta }, errors: FieldErrors): void {
  const validateName = kind.validateName ?? nameIsSubdomain
  validateObjectMetaWith((name, prefix) => validateName(name, prefix, object, errors), object.metadata, errors)
  validateKindsFinalizers(kind, object.metadata, errors)
}

/** Validates metadata as kube-apiserver does for objects of all kinds: any name that can be part of a path is valid. */
export function validateGenericMeta(meta: ObjectMeta, errors: FieldErrors): void {
  validateObjectMetaWith(nameIsPathSegment, meta, errors)
}

/** Groups whose kinds are validated without the additional rules of Kubernetes' core. */
const genericGroups: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io'
])

/** Validates finalizers: Kubernetes' core adds the rule that they are its own, or qualified by a domain. */
function validateKindsFinalizers(kind: ValidatedKind, { finalizers = [] }: ObjectMeta, errors: FieldErrors): void {
  if (kind.custom || genericGroups.has(kind.group)) return
  const path = metadata.child('finalizers')
  for (const [i, finalizer] of finalizers.entries()) validateQualified(finalizer, path.index(i), errors)
}

/** Validates the metadata of an object embedded in another one. It needs no name. */
export function validateEmbeddedMeta(meta: ObjectMeta, path: Path, errors: FieldErrors): void {
  if (meta.namespace)
    for (const e of nameIsLabel(meta.namespace, false)) errors.invalid(path.child('namespace'), meta.namespace, e)
  validateObjectMetaWith(nameIsPathSegment, { ...meta, name: meta.name || 'unnamed' }, errors, path)
}

function validateObjectMetaWith(
  validateName: (name: string, prefix: boolean) => string[],
  meta: ObjectMeta,
  errors: FieldErrors,
  path = metadata
): void {
  if (meta.generateName)
    for (const e of validateName(meta.generateName, true)) errors.invalid(path.child('generateName'), meta.generateName, e)
  if (!meta.name) errors.required(path.child('name'), 'name or generateName is required')
  else for (const e of validateName(meta.name, false)) errors.invalid(path.child('name'), meta.name, e)
  validateNonNegative(meta.generation, path.child('generation'), errors)
  validateLabels(meta.labels, path.child('labels'), errors)
  validateAnnotations(meta.annotations, path.child('annotations'), errors)
  validateOwnerReferences(meta.ownerReferences ?? [], path.child('ownerReferences'), errors)
  validateFinalizers(meta.finalizers ?? [], path.child('finalizers'), errors)
  validateManagers(meta, errors, path)
}

/** Validates the managers of fields, which is all that is asked of a Scale's metadata. */
export function validateManagers(meta: ObjectMeta, errors: FieldErrors, path: Path = metadata): void {
  const at = path.child('managedFields')
  meta.managedFields?.forEach((entry, i) => {
    if (entry.manager) validateManagerName(entry.manager, at.index(i).child('manager'), errors)
    if (entry.subresource && Buffer.byteLength(entry.subresource) > maxSubresourceBytes)
      errors.tooLong(at.index(i).child('subresource'), maxSubresourceBytes)
  })
}

export function validateLabels(labels: Record<string, string> | undefined, path: Path, errors: FieldErrors): void {
  if (!labels) return
  for (const key of sortedKeys(labels)) {
    for (const e of isQualifiedName(key)) errors.invalid(path, key, e)
    for (const e of isLabelValue(labels[key]!)) errors.invalid(path, labels[key], e)
  }
}

export function validateAnnotations(annotations: Record<string, string> | undefined, path: Path, errors: FieldErrors): void {
  if (!annotations) return
  let size = 0
  for (const [key, value] of Object.entries(annotations)) {
    // the prefix of an annotation's key may contain upper case
    for (const e of isQualifiedName(key.toLowerCase())) errors.invalid(path, key, e)
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (size > maxAnnotationBytes) errors.tooLong(path, maxAnnotationBytes)
}

function validateOwnerReferences(owners: readonly OwnerReference[], path: Path, errors: FieldErrors): void {
  let controller: string | undefined
  for (const [i, owner] of owners.entries()) {
    const at = path.index(i)
    const parts = owner.apiVersion.split('/')
    if (owner.apiVersion === '') errors.required(at.child('apiVersion'), 'must not be empty')
    else if (parts.length > 2 || parts.at(-1) === '')
      errors.invalid(at.child('apiVersion'), owner.apiVersion, 'must be <group>/<version> or <version>')
    for (const field of ['kind', 'name', 'uid'] as const)
      if (owner[field] === '') errors.required(at.child(field), 'must not be empty')
    if (owner.kind === 'Event' && owner.apiVersion === 'v1')
      errors.invalid(at, ownerInGoOrder(owner), '/v1, Kind=Event is disallowed from being an owner')
    if (!owner.controller) continue
    const name = `${owner.kind}/${owner.name}`
    // every further controller is refused beside the first
    if (controller !== undefined)
      errors.invalid(
        path,
        owners.map(ownerInGoOrder),
        `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`
      )
    controller ??= name
  }
}

/** An owner reference in the field order in which kube-apiserver prints it. */
const ownerInGoOrder = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference) => ({
  apiVersion,
  kind,
  name,
  uid,
  controller,
  blockOwnerDeletion
})

/** Finalizers without a slash that Kubernetes itself uses. */
export const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion'])

function validateFinalizers(finalizers: readonly string[], path: Path, errors: FieldErrors): void {
  for (const finalizer of finalizers) for (const e of isQualifiedName(finalizer)) errors.invalid(path, finalizer, e)
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.invalid(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')
  }
}

function validateQualified(finalizer: string, path: Path, errors: FieldErrors): void {
  if (!finalizer.includes('/') && !standardFinalizers.has(finalizer))
    errors.invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified')
}

/** Validates a finalizer outside metadata. */
export function validateFinalizerName(finalizer: string, path: Path, errors: FieldErrors): void {
  for (const e of isQualifiedName(finalizer)) errors.invalid(path, finalizer, e)
  validateQualified(finalizer, path, errors)
}

const immutable = 'field is immutable'

/** Validates the changes of metadata as the strategy of a kind does, after the generic code has done so. */
export function validateKindsMetaUpdate(kind: ValidatedKind, meta: ObjectMeta, old: ObjectMeta, errors: FieldErrors): void {
  validateObjectMetaUpdate(meta, old, errors)
  validateKindsFinalizers(kind, meta, errors)
}

/** Validates the changes of metadata. `meta` may still lack fields that the server keeps. */
export function validateObjectMetaUpdate(meta: ObjectMeta, old: ObjectMeta, errors: FieldErrors): void {
  if (old.deletionTimestamp && meta.finalizers) {
    const before = new Set(old.finalizers)
    const added = [...new Set(meta.finalizers)].filter(f => !before.has(f)).sort(compareText)
    if (added.length > 0) {
      errors.forbidden(
        metadata.child('finalizers'),
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map(f => goQuote(f)).join(', ')}}`
      )
    }
  }
  if (!meta.resourceVersion)
    errors.invalid(metadata.child('resourceVersion'), meta.resourceVersion ?? '', 'must be specified for an update')
  validateNonNegative(meta.generation, metadata.child('generation'), errors)
  if ((meta.generation ?? 0) < (old.generation ?? 0))
    errors.invalid(metadata.child('generation'), meta.generation ?? 0, 'must not be decremented')
  for (const field of [
    'name',
    'namespace',
    'uid',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds'
  ] as const) {
    // a deletionTimestamp that is zero, and null here, is not one that is missing
    const given = field === 'deletionTimestamp' ? meta[field] : (meta[field] ?? undefined)
    if (given !== (old[field] ?? undefined)) {
      const text = field === 'name' || field === 'namespace' ? (meta[field] ?? '') : meta[field]
      errors.invalid(metadata.child(field), field === 'uid' ? namedText(meta.uid ?? '') : text, immutable)
    }
  }
  validateLabels(meta.labels, metadata.child('labels'), errors)
  validateAnnotations(meta.annotations, metadata.child('annotations'), errors)
  validateOwnerReferences(meta.ownerReferences ?? [], metadata.child('ownerReferences'), errors)
  validateManagers(meta, errors)
}

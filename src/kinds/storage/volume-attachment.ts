import type { VolumeAttachment, VolumeAttachmentSource, VolumeError } from '../../apimachinery/api/generated/storage-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { validateObjectMeta } from '../../apimachinery/validation/object-meta.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'
import { validateDriverName } from './driver-name.js'
import { defaultInlineVolume, validateInlineVolume } from './inline-volume.js'

const maxMetadataBytes = 256 * 1024
const maxErrorMessageBytes = 1024
const maxErrorCode = 2 ** 31 - 1

export const volumeAttachment = defineKind<VolumeAttachment>({
  group: 'storage.k8s.io',
  kind: 'VolumeAttachment',
  resource: 'volumeattachments',
  namespaced: false,
  versions: [{ name: 'v1', type: 'storage.v1.VolumeAttachment' }],
  table: {
    columns: builtinColumns<VolumeAttachment>('storage.k8s.io/volumeattachments', {
      Name: o => o.metadata.name,
      Attacher: o => o.spec.attacher,
      PV: o => o.spec.source.persistentVolumeName ?? '',
      Node: o => o.spec.nodeName,
      Attached: o => o.status.attached,
      Age: age
    })
  },
  gatedFields: [
    { gates: 'MutableCSINodeAllocatableCount', fields: ['status.attachError.errorCode'] },
    { gates: 'MutableCSINodeAllocatableCount', fields: ['status.detachError.errorCode'] }
  ],
  strategy: {
    allowUnconditionalUpdate: false,
    default({ spec }) {
      if (spec.source.inlineVolumeSpec) defaultInlineVolume(spec.source.inlineVolumeSpec)
    },
    prepareForCreate(o) {
      o.status = { attached: false }
    },
    updateChecks: ['objectMeta', 'validateUpdate'],
    validateCreate: validateParts,
    validateUpdate(o, old, errors) {
      // the declared rules, which know the attacher of a new object, say nothing about the parts of a spec that may not change
      validateDriverName(o.spec.attacher ?? '', Path.of('spec').child('attacher'), errors)
      validateParts(o, errors)
      validateImmutable('spec', o.spec, old.spec, errors, () => internalText('storage.v1.VolumeAttachmentSpec', o.spec))
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      metadata: 'reset',
      updateChecks: ['validateUpdate'],
      validateUpdate(o, _, errors) {
        validateObjectMeta(volumeAttachment, o, errors)
        validateStatus(o, errors)
      }
    }
  }
})

const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

/** All but the attacher. */
function validateParts(o: VolumeAttachment, errors: FieldErrors): void {
  const { source, nodeName } = o.spec
  const at = Path.of('spec')
  validateSource(source, at.child('source'), errors)
  for (const e of isDns1123Subdomain(nodeName)) errors.invalid(at.child('nodeName'), nodeName, e)
  validateStatus(o, errors)
  const name = source.persistentVolumeName
  if (name !== undefined)
    for (const e of isDns1123Subdomain(name)) errors.invalid(at.child('source', 'persistentVolumeName'), name, e)
}

function validateSource(
  { inlineVolumeSpec: inline, persistentVolumeName: name }: VolumeAttachmentSource,
  at: Path,
  errors: FieldErrors
): void {
  if (!inline && name === undefined) errors.required(at, exactlyOne)
  else if (inline && name !== undefined) errors.forbidden(at, exactlyOne)
  else if (inline) validateInlineVolume(inline, at.child('inlineVolumeSpec'), errors)
  else if (name === '') errors.required(at.child('persistentVolumeName'), 'must specify non empty persistentVolumeName')
}

function validateStatus({ status }: VolumeAttachment, errors: FieldErrors): void {
  const at = Path.of('status')
  const size = Object.entries(status.attachmentMetadata ?? {}).reduce(
    (sum, [k, v]) => sum + Buffer.byteLength(k) + Buffer.byteLength(v),
    0
  )
  if (size > maxMetadataBytes) errors.tooLong(at.child('attachmentMetadata'), maxMetadataBytes)
  validateError(status.attachError, at.child('attachError'), errors)
  validateError(status.detachError, at.child('detachError'), errors)
}

function validateError(error: VolumeError | undefined, at: Path, errors: FieldErrors): void {
  if (!error) return
  if (Buffer.byteLength(error.message ?? '') > maxErrorMessageBytes) errors.tooLong(at.child('message'), maxErrorMessageBytes)
  const code = error.errorCode
  if (code !== undefined && (code < 0 || code > maxErrorCode))
    errors.invalid(at.child('errorCode'), code, `must be between 0 and ${maxErrorCode}, inclusive`)
}

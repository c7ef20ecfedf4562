import type {
  NodeSelectorRequirement,
  PersistentVolume,
  PersistentVolumeSpec,
  VolumeNodeAffinity
} from '../../../apimachinery/api/generated/core-v1.js'
import { age } from '../../../apimachinery/formats/table.js'
import { Path } from '../../../apimachinery/validation/field.js'
import { namedText } from '../../../apimachinery/validation/go-value.js'
import { internalText, internalValue } from '../../../apimachinery/validation/internal-text.js'
import { validateObjectMeta } from '../../../apimachinery/validation/object-meta.js'
import { asNewThenOwnChanges } from '../../../registry/checks.js'
import { defineKind } from '../../../registry/kind.js'
import { equalJson } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import { builtinColumns } from '../../columns.js'
import { nodeTermWarnings, stableNodeLabels } from '../../deprecated-node-labels.js'
import { textChanges } from '../spec-changes.js'
import { defaultAzureDisk, defaultIscsi, defaultRbd, defaultScaleIO } from './defaults.js'
import { persistentVolumeSources, validatePersistentVolume } from './persistent-volume-validation.js'

const shortModes: Record<string, string> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP'
}

/** Formats access modes, each once and in this order: "RWO,ROX". */
export const formatAccessModes = (modes: readonly string[] | undefined): string =>
  Object.entries(shortModes)
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',')

const deprecated: Record<string, string> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+'
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  'volume.beta.kubernetes.io/mount-options': 'deprecated since v1.31; use "mountOptions" attribute instead'
}

/** The names of sources in warnings, where they differ from the fields' names. */
const spelled: Readonly<Record<string, string>> = { storageos: 'storageOS' }

const mountOptions = 'volume.beta.kubernetes.io/mount-options'
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk'
] as const

export const persistentVolume = defineKind<PersistentVolume>({
  group: '',
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  shortNames: ['pv'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'core.v1.PersistentVolume' }],
  table: {
    columns: builtinColumns('persistentvolumes', {
      Name: o => o.metadata.name,
      Capacity: o => o.spec.capacity?.storage ?? '0',
      'Access Modes': o => formatAccessModes(o.spec.accessModes),
      'Reclaim Policy': o => o.spec.persistentVolumeReclaimPolicy,
      Status: o => (o.metadata.deletionTimestamp ? 'Terminating' : (o.status.phase ?? '')),
      Claim: o => (o.spec.claimRef ? `${o.spec.claimRef.namespace ?? ''}/${o.spec.claimRef.name ?? ''}` : ''),
      StorageClass: o => o.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? o.spec.storageClassName ?? '',
      VolumeAttributesClass: o => o.spec.volumeAttributesClassName ?? '<unset>',
      Reason: o => o.status.reason ?? '',
      Age: age,
      VolumeMode: o => o.spec.volumeMode ?? '<unset>'
    })
  },
  gatedFields: [{ gates: 'VolumeAttributesClass', fields: ['spec.volumeAttributesClassName'] }],
  strategy: {
    default({ spec, status }) {
      status.phase ??= 'Pending'
      spec.persistentVolumeReclaimPolicy ??= 'Retain'
      spec.volumeMode ??= 'Filesystem'
      if (spec.hostPath) spec.hostPath.type ??= ''
      if (spec.iscsi) defaultIscsi(spec.iscsi)
      if (spec.rbd) defaultRbd(spec.rbd)
      if (spec.azureDisk) defaultAzureDisk(spec.azureDisk)
      if (spec.scaleIO) defaultScaleIO(spec.scaleIO)
    },
    prepareForCreate(o, { now }) {
      o.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(now) }
    },
    updateChecks: asNewThenOwnChanges,
    validate({ metadata, spec }, errors) {
      validatePersistentVolume(spec, Path.of('spec'), errors)
      if (metadata.annotations?.[mountOptions] !== undefined && !mountable.some(source => spec[source]))
        errors.forbidden(Path.of('metadata', 'annotations', mountOptions), 'may not specify mount options for this volume type')
    },
    validateUpdate(volume, { spec: old }, errors) {
      const { spec } = volume
      // kube-apiserver validates this twice: each finding becomes two causes
      validateObjectMeta(persistentVolume, volume, errors)
      validatePersistentVolume(spec, Path.of('spec'), errors)
      const now = withoutNewSecret(spec, old)
      if (!equalJson(sourceOf(now), sourceOf(old))) {
        const changes = textChanges(sourceText(old), sourceText(now))
        errors.forbidden('spec.persistentvolumesource', `spec.persistentvolumesource is immutable after creation\n${changes}`)
      }
      if (spec.volumeMode !== old.volumeMode) errors.invalid('volumeMode', namedText(spec.volumeMode), 'field is immutable')
      const isFixed = old.nodeAffinity && !errors.enabled('MutablePVNodeAffinity')
      if (isFixed && !equalJson(spec.nodeAffinity, withStableLabels(old.nodeAffinity!, spec.nodeAffinity)))
        errors.invalid(
          'nodeAffinity',
          spec.nodeAffinity ? internalText('core.v1.VolumeNodeAffinity', spec.nodeAffinity) : null,
          'field is immutable, except for updating from beta label to GA'
        )
      if (old.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
        errors.forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden')
    },
    warnings({ spec, metadata }) {
      const warnings: string[] = []
      for (const [key, why] of Object.entries(deprecatedAnnotations))
        if (metadata.annotations?.[key] !== undefined) warnings.push(`metadata.annotations[${key}]: ${why}`)
      if (spec.persistentVolumeReclaimPolicy === 'Recycle')
        warnings.push(
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'
        )
      const terms = Path.of('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms')
      spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, i) => void nodeTermWarnings(term, terms.index(i), warnings))
      for (const [source, why] of Object.entries(deprecated))
        if (spec[source as keyof PersistentVolumeSpec] !== undefined) warnings.push(`spec.${spelled[source] ?? source}: ${why}`)
      return warnings
    }
  },
  deletion: { returnsObject: true },
  subresources: {
    status: {
      prepareForUpdate(o, old, { now }) {
        const { phase, lastPhaseTransitionTime: time } = o.status
        const before = old.status.lastPhaseTransitionTime
        if (phase === old.status.phase) {
          if (time === undefined && before !== undefined) o.status.lastPhaseTransitionTime = before
        } else if (time === undefined || time === before) o.status.lastPhaseTransitionTime = timestamp(now)
      }
    }
  }
})

/** Lets keys change into the stable labels that replace them. As in kube-apiserver, other keys may change to "". */
function withStableLabels(old: VolumeNodeAffinity, now: VolumeNodeAffinity | undefined): VolumeNodeAffinity {
  const terms = now?.required?.nodeSelectorTerms
  const renamed = (list: NodeSelectorRequirement[] | undefined, other: NodeSelectorRequirement[] | undefined) =>
    list?.map((old, i) => {
      const key = other?.[i]?.key
      return key !== undefined && (stableNodeLabels.get(old.key) ?? '') === key ? { ...old, key } : old
    })
  if (!old.required || !terms) return old
  const nodeSelectorTerms = (old.required.nodeSelectorTerms ?? []).map((term, i) => ({
    ...term,
    ...(term.matchExpressions && { matchExpressions: renamed(term.matchExpressions, terms[i]?.matchExpressions)! }),
    ...(term.matchFields && { matchFields: renamed(term.matchFields, terms[i]?.matchFields)! })
  }))
  return { ...old, required: { ...old.required, nodeSelectorTerms } }
}

function sourceOf(spec: PersistentVolumeSpec): Record<string, unknown> {
  const values = spec as unknown as Record<string, unknown>
  return Object.fromEntries(persistentVolumeSources.filter(name => values[name] !== undefined).map(name => [name, values[name]]))
}

/** Returns the spec without a new secret for expansion, which may be added later. */
function withoutNewSecret(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): PersistentVolumeSpec {
  if (!spec.csi || !old.csi || old.csi.controllerExpandSecretRef) return spec
  const { controllerExpandSecretRef: _, ...csi } = spec.csi
  return { ...spec, csi }
}

/** Returns the volume's source as errors print it: all sources lie together inside the spec. */
function sourceText(spec: PersistentVolumeSpec): unknown {
  const fields = Object.entries(internalValue('core.v1.PersistentVolumeSpec', spec) as object)
  return Object.fromEntries(fields.filter(([name]) => !notSources.has(name)))
}

const notSources: ReadonlySet<string> = new Set([
  'Capacity',
  'AccessModes',
  'ClaimRef',
  'PersistentVolumeReclaimPolicy',
  'StorageClassName',
  'MountOptions',
  'VolumeMode',
  'NodeAffinity',
  'VolumeAttributesClassName'
])

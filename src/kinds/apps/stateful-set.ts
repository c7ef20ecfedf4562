import type { StatefulSet, StatefulSetSpec } from '../../apimachinery/api/generated/apps-v1.js'
import type { PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { given } from '../../apimachinery/schema/given.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { internalListText, internalText } from '../../apimachinery/validation/internal-text.js'
import { isDns1123Label, nameIsLabel } from '../../apimachinery/validation/names.js'
import {
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonNegative,
  validateNonNegatives
} from '../../apimachinery/validation/numbers.js'
import { validateAnnotations, validateLabels } from '../../apimachinery/validation/object-meta.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { fractionalBytes } from '../core/fractional-bytes.js'
import { validatePodAnnotations } from '../core/pod/annotations-validation.js'
import { templateGatedFields } from '../core/pod/gated-fields.js'
import { defaultPodTemplate, validatePodTemplate } from '../core/pod/template.js'
import { podWarnings } from '../core/pod/warnings.js'
import { validateClaimSpec } from '../core/volume/claim-validation.js'
import { validateImmutable } from '../immutable.js'
import {
  containerImages,
  containerNames,
  isValidSelector,
  ownerScale,
  selectorText,
  validateOwnerSelector,
  validateRunsForever,
  validateSelectorMatches
} from '../pod-owner.js'
import { validateReplicaCounts } from '../replica-counts.js'
import { validateCollisionCount } from './collision-count.js'

export const statefulSet = defineKind<StatefulSet>({
  group: 'apps',
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  validateName: nameIsLabel,
  versions: [{ name: 'v1', type: 'apps.v1.StatefulSet' }],
  table: {
    columns: builtinColumns<StatefulSet>('apps/statefulsets', {
      Name: o => o.metadata.name,
      Ready: o => `${o.status.readyReplicas ?? 0}/${o.spec.replicas ?? 0}`,
      Age: age,
      Containers: o => containerNames(o.spec.template),
      Images: o => containerImages(o.spec.template)
    })
  },
  generation: true,
  gatedFields: [
    ...templateGatedFields('spec.template.spec'),
    { gates: 'MaxUnavailableStatefulSet', fields: ['spec.updateStrategy.rollingUpdate.maxUnavailable'] }
  ],
  empty(o) {
    o.spec = { replicas: 0, ...o.spec }
  },
  strategy: {
    default({ spec }, { services }) {
      spec.podManagementPolicy ??= 'OrderedReady'
      defaultStrategy(spec.updateStrategy, services?.features.enabled('MaxUnavailableStatefulSet') ?? false)
      spec.persistentVolumeClaimRetentionPolicy ??= {}
      spec.persistentVolumeClaimRetentionPolicy.whenDeleted ??= 'Retain'
      spec.persistentVolumeClaimRetentionPolicy.whenScaled ??= 'Retain'
      spec.replicas ??= 1
      spec.revisionHistoryLimit ??= 10
      defaultPodTemplate(spec.template)
      if (spec.volumeClaimTemplates) spec.volumeClaimTemplates = spec.volumeClaimTemplates.map(defaultClaim)
    },
    prepareForCreate(o) {
      o.status = { replicas: 0, availableReplicas: 0 }
    },
    validate({ spec }, errors, _, old) {
      validateSpec(spec, old?.spec, Path.of('spec'), errors)
    },
    validateUpdate({ spec }, { spec: old }, errors) {
      const at = Path.of('spec')
      validateImmutable(at.child('selector'), spec.selector, old.selector, errors, () =>
        internalText('meta.v1.LabelSelector', spec.selector)
      )
      const claims = given(spec, 'volumeClaimTemplates')
      validateImmutable(at.child('volumeClaimTemplates'), claims, old.volumeClaimTemplates, errors, () =>
        internalListText('core.v1.PersistentVolumeClaim', claims ?? [])
      )
      validateImmutable(at.child('serviceName'), spec.serviceName ?? '', old.serviceName ?? '', errors)
      validateImmutable(at.child('podManagementPolicy'), spec.podManagementPolicy, old.podManagementPolicy, errors, () =>
        namedText(spec.podManagementPolicy)
      )
    },
    warnings(o, old) {
      const changed = o.metadata.generation !== old?.metadata.generation
      const warnings = changed ? podWarnings(o.spec.template, Path.of('spec', 'template')) : []
      o.spec.volumeClaimTemplates?.forEach(({ spec }, i) => {
        const template = Path.of('spec', 'volumeClaimTemplates').index(i)
        const at = (old ? template.child('Spec') : template).child('resources')
        for (const list of ['requests', 'limits'] as const)
          warnings.push(...fractionalBytes(spec.resources[list], ['storage'], at.child(list)))
      })
      if ((o.spec.revisionHistoryLimit ?? 0) < 0)
        warnings.push('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended')
      return warnings
    }
  },
  subresources: {
    status: {
      updateChecks: ['validateUpdate', 'objectMetaUpdate'],
      validateUpdate({ status }, { status: old }, errors) {
        validateReplicaCounts(status, counts, parts, Path.of('status'), errors, 'status.readyReplicas')
        validateCollisionCount(status.collisionCount, old.collisionCount, errors)
      }
    },
    scale: ownerScale
  }
})

function defaultClaim({ kind: _, apiVersion: __, ...claim }: PersistentVolumeClaim): PersistentVolumeClaim {
  claim.spec.volumeMode ??= 'Filesystem'
  claim.status.phase ??= 'Pending'
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...claim }
}

function defaultStrategy(strategy: StatefulSetSpec['updateStrategy'], defaultsMaxUnavailable: boolean): void {
  if (!strategy.type) {
    strategy.type = 'RollingUpdate'
    strategy.rollingUpdate ??= {}
  }
  if (strategy.type !== 'RollingUpdate' || !strategy.rollingUpdate) return
  strategy.rollingUpdate.partition ??= 0
  if (defaultsMaxUnavailable) strategy.rollingUpdate.maxUnavailable ??= 1
}

/** Validates the spec. An update may keep a service name or claims that would not be valid for a new object. */
function validateSpec(spec: StatefulSetSpec, old: StatefulSetSpec | undefined, path: Path, errors: FieldErrors): void {
  const { podManagementPolicy, selector, template } = spec
  if (podManagementPolicy !== 'OrderedReady' && podManagementPolicy !== 'Parallel') {
    errors.invalid(path.child('podManagementPolicy'), namedText(podManagementPolicy), "must be 'OrderedReady' or 'Parallel'")
  }
  validateStrategy(spec.updateStrategy, old?.updateStrategy.type, path.child('updateStrategy'), errors)
  for (const when of ['whenDeleted', 'whenScaled'] as const) {
    const policy = spec.persistentVolumeClaimRetentionPolicy?.[when]
    const known = ['Retain', 'Delete']
    if (!known.includes(policy ?? ''))
      errors.notSupported(path.child('persistentVolumeClaimRetentionPolicy', when), policy, known)
  }
  if (!old)
    spec.volumeClaimTemplates?.forEach(
      (claim, i) => void validateClaimSpec(claim.spec, path.child('volumeClaimTemplates').index(i).child('spec'), errors)
    )
  validateNonNegatives(spec, ['replicas', 'minReadySeconds'], path, errors)
  validateNonNegative(spec.ordinals?.start, path.child('ordinals.start'), errors)
  if (!old && spec.serviceName)
    for (const e of isDns1123Label(spec.serviceName)) errors.invalid(path.child('serviceName'), spec.serviceName, e)
  validateOwnerSelector(selector, 'statefulset', path.child('selector'), errors)
  const at = path.child('template')
  if (!isValidSelector(selector)) errors.invalid(path.child('selector'), selectorText(selector))
  else {
    validateSelectorMatches(selector, template, at, errors)
    validatePodTemplate(asOfPods(spec), at, errors, old?.template)
    // kube-apiserver validates this twice: each finding becomes two causes
    validateLabels(template.metadata.labels, at.child('labels'), errors)
    validateAnnotations(template.metadata.annotations, at.child('annotations'), errors)
    validatePodAnnotations(template, at.child('annotations'), errors)
  }
  validateRunsForever(template, 'StatefulSet', at, errors)
}

/** Adds the claims to the template's volumes, because containers may mount them like those. */
function asOfPods({ template, volumeClaimTemplates = [] }: StatefulSetSpec): StatefulSetSpec['template'] {
  const named = new Set(volumeClaimTemplates.map(({ metadata: { name = '' } }) => name))
  const claims = [...named].map(name => ({ name, persistentVolumeClaim: { claimName: name } }))
  const others = template.spec.volumes?.filter(volume => !named.has(volume.name)) ?? []
  const { hostname: _, subdomain: __, ...spec } = template.spec
  return { ...template, spec: claims.length === 0 ? spec : { ...spec, volumes: [...claims, ...others] } }
}

function validateStrategy(
  strategy: StatefulSetSpec['updateStrategy'],
  oldType: string | undefined,
  path: Path,
  errors: FieldErrors
): void {
  const { type, rollingUpdate } = strategy
  const shown = rollingUpdate && { partition: 0, ...rollingUpdate }
  const mayRecreate = errors.enabled('StatefulSetRecreateStrategy') || oldType === 'Recreate'
  if (type === 'RollingUpdate') validateRollingUpdate(rollingUpdate ?? {}, path.child('rollingUpdate'), errors)
  else if (type !== 'OnDelete' && !(type === 'Recreate' && mayRecreate)) {
    errors.invalid(
      path,
      internalText('apps.v1.StatefulSetUpdateStrategy', { type, rollingUpdate: shown }),
      mayRecreate ? "must be 'RollingUpdate', 'OnDelete', or 'Recreate'" : "must be 'RollingUpdate' or 'OnDelete'"
    )
  } else if (rollingUpdate) {
    const text = internalText('apps.v1.RollingUpdateStatefulSetStrategy', shown)
    errors.invalid(path.child('rollingUpdate'), text, "only allowed for updateStrategy 'RollingUpdate'")
  }
}

function validateRollingUpdate(
  { partition, maxUnavailable }: NonNullable<StatefulSetSpec['updateStrategy']['rollingUpdate']>,
  path: Path,
  errors: FieldErrors
): void {
  validateNonNegative(partition, path.child('partition'), errors)
  if (maxUnavailable === undefined) return
  const at = path.child('maxUnavailable')
  validateIntOrPercent(maxUnavailable, at, errors)
  if (intOrPercentValue(maxUnavailable) === 0) errors.invalid(at, maxUnavailable, 'cannot be 0')
  validateAtMost100Percent(maxUnavailable, at, errors)
}

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount'
] as const

const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const

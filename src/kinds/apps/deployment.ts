import type { Deployment, DeploymentStrategy } from '../../apimachinery/api/generated/apps-v1.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { formatLabelSelector } from '../../apimachinery/selectors/labels.js'
import { Unconvertible } from '../../apimachinery/status/status.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { GoText } from '../../apimachinery/validation/go-value.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import {
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonNegative,
  validateNonNegatives
} from '../../apimachinery/validation/numbers.js'
import { defineKind } from '../../registry/kind.js'
import { parseIntProblem } from '../../util/go-strconv.js'
import { builtinColumns } from '../columns.js'
import { templateGatedFields } from '../core/pod/gated-fields.js'
import { defaultPodTemplate } from '../core/pod/template.js'
import { containerImages, containerNames, ownerScale, ownerWarnings, validateSelectorUnchanged } from '../pod-owner.js'
import { validateReplicaCounts } from '../replica-counts.js'
import { validateCollisionCount } from './collision-count.js'
import { validateReplicaTemplate } from './replica-template.js'

const rollbackTo = 'deprecated.deployment.rollback.to'

export const deployment = defineKind<Deployment>({
  group: 'apps',
  kind: 'Deployment',
  resource: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'apps.v1.Deployment' }],
  table: {
    columns: builtinColumns<Deployment>('apps/deployments', {
      Name: o => o.metadata.name,
      Ready: o => `${o.status.readyReplicas ?? 0}/${o.spec.replicas ?? 0}`,
      'Up-to-date': o => o.status.updatedReplicas ?? 0,
      Available: o => o.status.availableReplicas ?? 0,
      Age: age,
      Containers: o => containerNames(o.spec.template),
      Images: o => containerImages(o.spec.template),
      // an empty selector is no text here, unlike in the other kinds
      Selector: o => formatLabelSelector(o.spec.selector).replace('<none>', '')
    })
  },
  generation: { of: o => [o.spec, o.metadata.annotations ?? {}] },
  gatedFields: [
    ...templateGatedFields('spec.template.spec'),
    { gates: 'DeploymentReplicaSetTerminatingReplicas', fields: ['status.terminatingReplicas'] }
  ],
  empty(o) {
    o.spec = { replicas: 0, ...o.spec }
  },
  strategy: {
    default({ metadata, spec }) {
      settleRollback(metadata)
      spec.replicas ??= 1
      defaultStrategy(spec.strategy)
      spec.revisionHistoryLimit ??= 10
      spec.progressDeadlineSeconds ??= 600
      defaultPodTemplate(spec.template)
    },
    prepareForCreate(o) {
      o.status = {}
    },
    validate({ metadata, spec }, errors, _, old) {
      const at = Path.of('spec')
      validateNonNegative(spec.replicas, at.child('replicas'), errors)
      validateReplicaTemplate(spec, at, errors, old?.spec)
      validateStrategy(spec.strategy, at.child('strategy'), errors)
      validateNonNegatives(spec, ['minReadySeconds', 'revisionHistoryLimit'], at, errors)
      validateRollback(metadata, at, errors)
      validateNonNegative(spec.progressDeadlineSeconds, at.child('progressDeadlineSeconds'), errors)
      const deadline = spec.progressDeadlineSeconds
      if (deadline !== undefined && deadline <= (spec.minReadySeconds ?? 0)) {
        errors.invalid(at.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds')
      }
    },
    validateUpdate: validateSelectorUnchanged,
    warnings: ownerWarnings
  },
  subresources: {
    status: {
      metadata: 'all but labels',
      validateUpdate({ status }, { status: old }, errors) {
        validateReplicaCounts(status, counts, parts, Path.of('status'), errors)
        validateCollisionCount(status.collisionCount, old.collisionCount, errors)
      }
    },
    scale: ownerScale
  }
})

/**
 * Rewrites the revision as kube-apiserver does, for which it is a number that was once a field of the spec: an empty text is
 * removed, and "+3" becomes "3".
 */
function settleRollback(metadata: ObjectMeta): void {
  const { annotations } = metadata
  const revision = annotations?.[rollbackTo]
  if (revision === undefined) return
  if (revision === '') {
    delete annotations![rollbackTo]
    if (Object.keys(annotations!).length === 0) delete metadata.annotations
  } else {
    const problem = parseIntProblem(revision)
    if (problem)
      throw new Unconvertible('Deployment', 'v1', `failed to parse annotation[${rollbackTo}]=${revision} as int64: ${problem}`)
    annotations![rollbackTo] = String(BigInt(revision))
  }
}

function validateRollback({ annotations }: ObjectMeta, path: Path, errors: FieldErrors): void {
  const revision = annotations?.[rollbackTo]
  if (revision?.startsWith('-'))
    errors.invalid(path.child('rollback', 'version'), new GoText(revision), 'must be greater than or equal to 0')
}

function defaultStrategy(strategy: DeploymentStrategy): void {
  strategy.type ??= 'RollingUpdate'
  if (strategy.type !== 'RollingUpdate') return
  strategy.rollingUpdate ??= {}
  strategy.rollingUpdate.maxUnavailable ??= '25%'
  strategy.rollingUpdate.maxSurge ??= '25%'
}

function validateStrategy({ type, rollingUpdate }: DeploymentStrategy, path: Path, errors: FieldErrors): void {
  if (type === 'RollingUpdate') {
    validateRollingUpdate(rollingUpdate ?? {}, path.child('rollingUpdate'), errors)
    return
  }
  if (type === 'Recreate') {
    if (rollingUpdate) errors.forbidden(path.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")
    return
  }
  const inner = rollingUpdate && { maxUnavailable: 0, maxSurge: 0, ...rollingUpdate }
  errors.notSupported(path, internalText('apps.v1.DeploymentStrategy', { type, rollingUpdate: inner }), [
    'Recreate',
    'RollingUpdate'
  ])
}

function validateRollingUpdate(
  { maxUnavailable, maxSurge }: NonNullable<DeploymentStrategy['rollingUpdate']>,
  path: Path,
  errors: FieldErrors
): void {
  const at = path.child('maxUnavailable')
  validateIntOrPercent(maxUnavailable, at, errors)
  validateIntOrPercent(maxSurge, path.child('maxSurge'), errors)
  if (intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0) {
    errors.invalid(at, maxUnavailable, 'may not be 0 when `maxSurge` is 0')
  }
  validateAtMost100Percent(maxUnavailable, at, errors)
}

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount'
] as const

const parts = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const

import type { DaemonSet, DaemonSetUpdateStrategy } from '../../apimachinery/api/generated/apps-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { formatLabelSelector } from '../../apimachinery/selectors/labels.js'
import { Unconvertible } from '../../apimachinery/status/status.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import {
  intOrPercentValue,
  validateAtMost100Percent,
  validateIntOrPercent,
  validateNonNegatives
} from '../../apimachinery/validation/numbers.js'
import { changesFirst } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { templateGatedFields } from '../core/pod/gated-fields.js'
import { defaultPodTemplate, validatePodTemplate } from '../core/pod/template.js'
import { podWarnings } from '../core/pod/warnings.js'
import {
  containerImages,
  containerNames,
  isValidSelector,
  validateOwnerSelector,
  validateRunsForever,
  validateSelectorMatches,
  validateSelectorUnchanged
} from '../pod-owner.js'
import { validateCollisionCount } from './collision-count.js'

/** The annotation that counts template changes. It was once a field of the spec; the server ignores what a client sets. */
const templateGeneration = 'deprecated.daemonset.template.generation'

export const daemonSet = defineKind<DaemonSet>({
  group: 'apps',
  kind: 'DaemonSet',
  resource: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', type: 'apps.v1.DaemonSet' }],
  storage: { fieldAnnotations: [templateGeneration] },
  table: {
    columns: builtinColumns<DaemonSet>('apps/daemonsets', {
      Name: o => o.metadata.name,
      Desired: o => o.status.desiredNumberScheduled,
      Current: o => o.status.currentNumberScheduled,
      Ready: o => o.status.numberReady,
      'Up-to-date': o => o.status.updatedNumberScheduled ?? 0,
      Available: o => o.status.numberAvailable ?? 0,
      'Node Selector': o => formatLabelSelector({ matchLabels: o.spec.template.spec.nodeSelector }),
      Age: age,
      Containers: o => containerNames(o.spec.template),
      Images: o => containerImages(o.spec.template),
      Selector: o => formatLabelSelector(o.spec.selector)
    })
  },
  generation: true,
  gatedFields: templateGatedFields('spec.template.spec'),
  empty({ metadata }) {
    metadata.annotations = { [templateGeneration]: '0' }
  },
  strategy: {
    default({ metadata, spec }) {
      metadata.annotations = { [templateGeneration]: '0', ...metadata.annotations }
      metadata.annotations[templateGeneration] = settledCount(metadata.annotations[templateGeneration]!)
      defaultStrategy(spec.updateStrategy)
      spec.revisionHistoryLimit ??= 10
      defaultPodTemplate(spec.template)
    },
    prepareForCreate(o) {
      o.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 }
      if (countOf(o) < 1) setCount(o, 1)
    },
    prepareForUpdate(o, old) {
      setCount(o, countOf(old) + (equalJson(o.spec.template, old.spec.template) ? 0 : 1))
    },
    updateChecks: changesFirst,
    validate: validateSpec,
    validateUpdate: validateSelectorUnchanged,
    warnings(o, old) {
      if (old && o.metadata.generation === old.metadata.generation) return []
      return podWarnings(o.spec.template, Path.of('spec', 'template'))
    }
  },
  subresources: {
    status: {
      prepareForUpdate: (o, old) => setCount(o, countOf(old)),
      validateUpdate({ status }, { status: old }, errors) {
        validateNonNegatives(status, counts, Path.of('status'), errors)
        validateCollisionCount(status.collisionCount, old.collisionCount, errors)
      }
    }
  }
})

const countOf = (o: DaemonSet) => Number(o.metadata.annotations?.[templateGeneration] ?? 0)

/**
 * Returns the count as kube-apiserver stores it. It is converted to a number, so that "+3" becomes "3"; any other text is
 * refused.
 */
function settledCount(text: string): string {
  const refused = (why: string) => new Unconvertible('DaemonSet', 'v1', `strconv.ParseInt: parsing ${goQuote(text)}: ${why}`)
  if (!/^[+-]?\d+$/.test(text)) throw refused('invalid syntax')
  const count = BigInt(text)
  if (count !== BigInt.asIntN(64, count)) throw refused('value out of range')
  return String(count)
}

function setCount(o: DaemonSet, count: number): void {
  o.metadata.annotations = { ...o.metadata.annotations, [templateGeneration]: String(count) }
}

function defaultStrategy(strategy: DaemonSetUpdateStrategy): void {
  strategy.type ??= 'RollingUpdate'
  if (strategy.type !== 'RollingUpdate') {
    // the internal type has numbers where this one has none
    if (strategy.rollingUpdate) strategy.rollingUpdate = { maxUnavailable: 0, maxSurge: 0, ...strategy.rollingUpdate }
    return
  }
  strategy.rollingUpdate ??= {}
  strategy.rollingUpdate.maxUnavailable ??= 1
  strategy.rollingUpdate.maxSurge ??= 0
}

function validateSpec({ spec }: DaemonSet, errors: FieldErrors, _: unknown, old?: DaemonSet): void {
  const at = Path.of('spec')
  const { selector, template } = spec
  // a missing selector matches nothing, so the labels are not compared
  if (selector) validateOwnerSelector(selector, 'daemonset', at.child('selector'), errors)
  const path = at.child('template')
  if (isValidSelector(selector)) validateSelectorMatches(selector, template, path, errors)
  validatePodTemplate(template, path, errors, old?.spec.template)
  validateRunsForever(template, 'DaemonSet', path, errors)
  validateNonNegatives(spec, ['minReadySeconds'], at, errors)
  validateStrategy(spec.updateStrategy, at.child('updateStrategy'), errors)
  validateNonNegatives(spec, ['revisionHistoryLimit'], at, errors)
}

function validateStrategy({ type, rollingUpdate }: DaemonSetUpdateStrategy, path: Path, errors: FieldErrors): void {
  if (type === 'OnDelete') return
  if (type !== 'RollingUpdate') {
    errors.notSupported(path, internalText('apps.v1.DaemonSetUpdateStrategy', { type, rollingUpdate }), [
      'RollingUpdate',
      'OnDelete'
    ])
    return
  }
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {}
  const at = path.child('rollingUpdate')
  const limits = [
    ['maxUnavailable', maxUnavailable],
    ['maxSurge', maxSurge]
  ] as const
  for (const [field, value] of limits) validateIntOrPercent(value, at.child(field), errors)
  for (const [field, value] of limits) validateAtMost100Percent(value, at.child(field), errors)
  const unavailable = intOrPercentValue(maxUnavailable) !== 0
  const surge = intOrPercentValue(maxSurge) !== 0
  if (unavailable && surge) errors.invalid(at.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero')
  if (!unavailable && !surge) errors.required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0')
}

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount'
] as const

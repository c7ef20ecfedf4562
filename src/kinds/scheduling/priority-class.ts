import type { PriorityClass } from '../../apimachinery/api/generated/scheduling-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { namedText } from '../../apimachinery/validation/go-value.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateImmutable } from '../immutable.js'

const systemPrefix = 'system-'
const maxUserValue = 1_000_000_000
/** The classes that the server itself creates, and their values. */
export const systemPriorityClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000]
])
const preemptionPolicies = ['PreemptLowerPriority', 'Never']

export const priorityClass = defineKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  resource: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'scheduling.v1.PriorityClass' }],
  table: {
    columns: builtinColumns<PriorityClass>('scheduling.k8s.io/priorityclasses', {
      Name: o => o.metadata.name,
      Value: o => o.value,
      'Global-Default': o => o.globalDefault ?? false,
      Age: age,
      PreemptionPolicy: o => o.preemptionPolicy ?? ''
    })
  },
  generation: {
    // the generation stays 1, because no change counts
    of: () => undefined
  },
  strategy: {
    default(o) {
      o.preemptionPolicy ??= 'PreemptLowerPriority'
    },
    validateCreate(o, errors) {
      const { name = '' } = o.metadata
      if (name.startsWith(systemPrefix)) {
        const wrong = systemClassError(o)
        if (wrong)
          errors.forbidden(
            'metadata.name',
            `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${wrong}`
          )
      } else if (o.value > maxUserValue)
        errors.forbidden('value', `maximum allowed value of a user defined priority is ${maxUserValue}`)
      if (!o.preemptionPolicy) errors.required('preemptionPolicy')
      else if (!preemptionPolicies.includes(o.preemptionPolicy))
        errors.notSupported('preemptionPolicy', o.preemptionPolicy, preemptionPolicies)
    },
    validateUpdate(o, old, errors) {
      if (o.value !== old.value) errors.forbidden('value', 'may not be changed in an update.')
      validateImmutable('preemptionPolicy', o.preemptionPolicy, old.preemptionPolicy, errors, () => namedText(o.preemptionPolicy))
    }
  },
  deletion: {
    whyUndeletable: o =>
      systemPriorityClasses.has(o.metadata.name ?? '') ? 'this is a system priority class and cannot be deleted' : undefined
  }
})

function systemClassError({ metadata: { name = '' }, value, globalDefault }: PriorityClass): string | undefined {
  const known = systemPriorityClasses.get(name)
  if (known === undefined) return `${name} is not a known system priority class`
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`
  if (globalDefault) return `globalDefault of ${name} PriorityClass must be false`
  return undefined
}

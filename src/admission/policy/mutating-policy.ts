/** Compiles MutatingAdmissionPolicies. */
import type {
  MutatingAdmissionPolicyBindingSpec,
  MutatingAdmissionPolicySpec
} from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { type CompiledExpression, compileExpression } from '../matching/evaluation.js'
import { compileExpressions, type PolicyExpressions } from './expressions.js'
import type { BoundPolicy } from './policy-set.js'

export type BoundMutatingPolicy = BoundPolicy<
  MutatingAdmissionPolicySpec,
  MutatingAdmissionPolicyBindingSpec,
  CompiledMutatingPolicy
>

export interface CompiledMutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch'
  readonly expression: CompiledExpression
}

export interface CompiledMutatingPolicy extends PolicyExpressions {
  readonly mutations: readonly CompiledMutation[]
}

export function compileMutatingPolicy(spec: MutatingAdmissionPolicySpec): CompiledMutatingPolicy {
  const expressions = compileExpressions(spec)
  const environment = expressions.environment({ patches: true })
  const mutations = (spec.mutations ?? []).flatMap(({ jsonPatch, applyConfiguration }): CompiledMutation[] => {
    const patchType = jsonPatch ? 'JSONPatch' : 'ApplyConfiguration'
    const source = (jsonPatch ?? applyConfiguration)?.expression
    return source === undefined ? [] : [{ patchType, expression: compileExpression(source, environment) }]
  })
  return { ...expressions, mutations }
}

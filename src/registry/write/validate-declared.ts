/** Validates by the rules that a kind's types declare, after those that the kind's file writes by hand. */
import { validateDeclared as validateByType } from '../../apimachinery/declared/validate.js'
import type { EnabledGates, FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../kind.js'
import type { Operation } from './operation.js'

/** Kinds that kube-apiserver validates by hand alone. */
const byHand: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'APIService'])

/**
 * Keeps one of several equal errors that were found by hand, and adds those of the declared rules. Custom resources declare their rules in
 * their schemas. `old` is left out for a new object.
 */
export function validateDeclared(
  { resource, subresource, services }: Operation,
  object: unknown,
  old: unknown,
  errors: FieldErrors
): void {
  const { kind } = resource
  if (kind.custom || byHand.has(kind.kind)) return
  errors.keepDistinct()
  validateByType(kind.versions[0]!.type, object, old, subresource, errors, gatesFor(kind, object, old, services.features))
}

function gatesFor(kind: KindDefinition, object: any, old: any, features: EnabledGates): EnabledGates {
  const own = kind.strategy?.declaredGates?.(object, old)
  return own ? { enabled: gate => own[gate] ?? features.enabled(gate) } : features
}

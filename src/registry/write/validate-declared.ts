/** Validates by the rules that a kind's types declare, after those that the kind's file writes by hand. */
import { hasRules, validateDeclared as validateByType } from '../../apimachinery/declared/validate.js'
import type { EnabledGates, FieldErrors } from '../../apimachinery/validation/field.js'
import type { KindDefinition } from '../kind.js'
import type { Operation } from './operation.js'

/** Kinds that kube-apiserver validates by hand alone. */
const byHand: ReadonlySet<string> = new Set(['CustomResourceDefinition', 'APIService'])

/**
 * Keeps one of several equal errors that were found by hand, and adds those of the declared rules of the request's version, with its paths.
 * Custom resources declare their rules in their schemas. `old` is left out for a new object.
 */
export function validateDeclared(
  { resource, version, subresource, services }: Operation,
  object: unknown,
  old: unknown,
  errors: FieldErrors
): void {
  const { kind } = resource
  if (kind.custom || byHand.has(kind.kind)) return
  errors.keepDistinct()
  const gates = gatesFor(kind, object, old, services.features)
  const { type, fromStorage, pathInStorage } = resource.versions.get(version) ?? resource.memoryVersion
  if (!fromStorage) {
    validateByType(type, object, old, subresource, errors, gates)
    return
  }
  if (!hasRules(type)) return
  const [now, before] = [object, old].map(value => value && fromStorage(value))
  validateByType(type, now, before, subresource, errors, gates, pathInStorage)
}

function gatesFor(kind: KindDefinition, object: any, old: any, features: EnabledGates): EnabledGates {
  const own = kind.strategy?.declaredGates?.(object, old)
  return own ? { enabled: gate => own[gate] ?? features.enabled(gate) } : features
}

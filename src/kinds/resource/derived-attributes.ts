/** Validates attributes that a request computes of those of each device, for constraints to compare. */
import type { DeviceConstraint, DeviceDerivedAttribute } from '../../apimachinery/api/generated/resource-v1.js'
import { fullTypeName, type Type } from '../../apimachinery/cel/types.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { maxCost, validateExpression } from './device-selector.js'
import { validateSet } from './lists.js'

const scalars: ReadonlySet<string> = new Set(['bool', 'int', 'string', 'any', 'dyn', 'kubernetes.Semver'])
const isScalar = (type: Type | undefined) => type !== undefined && scalars.has(type.name)

/** The derived attributes of one claim, whose costs together are limited. */
export class DerivedAttributes {
  #cost = 0
  /** The attributes that constraints compare, by the name of the request; '' is every request. */
  readonly #compared = new Map<string, Set<string>>()

  constructor(constraints: readonly DeviceConstraint[]) {
    for (const { requests, matchAttribute, distinctAttribute } of constraints) {
      const attribute = matchAttribute ?? distinctAttribute
      if (attribute === undefined) continue
      for (const name of requests?.length ? requests : ['']) {
        const known = this.#compared.get(name)
        if (known) known.add(attribute)
        else this.#compared.set(name, new Set([attribute]))
      }
    }
  }

  /** `reference` is the name of the request, "a", or of an alternative within one, "a/b". */
  validate(attributes: readonly DeviceDerivedAttribute[], reference: string, at: Path, errors: FieldErrors): void {
    validateSet(
      attributes,
      Number.POSITIVE_INFINITY,
      ({ name }) => name,
      at,
      errors,
      ({ name, expression }, path) => {
        if (name !== '' && !this.#isCompared(name, reference)) {
          const why = 'must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request'
          errors.invalid(path.child('name'), name, why)
        }
        if (expression === '') return
        this.#cost += validateExpression(expression, path.child('expression'), errors, type => whyNoValue(type, errors))
      }
    )
  }

  validateCost(at: Path, errors: FieldErrors): void {
    if (this.#cost <= maxCost) return
    errors.forbidden(at, 'too complex, total cost of derived attribute CEL expressions in the claim exceeds cost limit')
  }

  #isCompared(attribute: string, reference: string): boolean {
    return ['', reference, reference.split('/', 1)[0]!].some(name => this.#compared.get(name)?.has(attribute))
  }
}

function whyNoValue(type: Type, errors: FieldErrors): string | undefined {
  const mayBeList = errors.enabled('DRAListTypeAttributes')
  if (isScalar(type) || (mayBeList && type.name === 'list' && isScalar(type.params[0]))) return undefined
  const wanted = 'must evaluate to a primitive scalar (string, integer, boolean, semver)'
  return `${wanted}${mayBeList ? ' or a list of these scalars' : ''}, not ${fullTypeName(type)}`
}

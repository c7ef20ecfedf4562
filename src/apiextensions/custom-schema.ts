/** The schema of one version: sets defaults and validates. Its parts are compiled at first use, and then shared. */
import type { JSONSchemaProps } from '../apimachinery/api/generated/apiextensions-v1.js'
import { type DefaultingOptions, defaulter } from '../apimachinery/structural/defaults.js'
import { type RuleTimes, type RuleValidator, ruleValidator } from '../apimachinery/structural/rules/rule-validator.js'
import { type StructuralSchema, structuralSchema } from '../apimachinery/structural/structural.js'
import { statusValidator, type ValueValidator, valueValidator } from '../apimachinery/structural/validate.js'
import type { FieldErrorReason, FieldErrors } from '../apimachinery/validation/field.js'
import type { KubeObject } from '../registry/kind.js'
import type { JsonObject } from '../util/json.js'

/** Errors after which rules do not run, because they may expect fields and limits that the object violates. */
const blocking: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid'
])

const asJson = (object: KubeObject) => object as unknown as JsonObject

export class CustomSchema {
  readonly structural: StructuralSchema
  #default: ReturnType<typeof defaulter> | undefined
  #validator: ValueValidator | undefined
  #statusValidator: ValueValidator | undefined
  #rules: RuleValidator | 'none' | undefined

  readonly #times: RuleTimes | undefined

  constructor(source: JSONSchemaProps, times?: RuleTimes) {
    this.#times = times
    this.structural = structuralSchema(source)
  }

  default(object: KubeObject, options?: DefaultingOptions): void {
    this.#default ??= defaulter(this.structural)
    this.#default(asJson(object), options)
  }

  validate(
    object: KubeObject,
    old: KubeObject | undefined,
    errors: FieldErrors,
    afterValues?: () => void,
    values?: boolean
  ): void {
    this.#validator ??= valueValidator(this.structural)
    this.#validator(asJson(object), old && asJson(old), errors, afterValues, values)
  }

  /** Runs the CEL rules, after all other validation: rules may rely on the rest of the schema. */
  validateRules(object: KubeObject, old: KubeObject | undefined, errors: FieldErrors, warn: (text: string) => void): void {
    this.#rules ??= ruleValidator(this.structural, true, this.#times) ?? 'none'
    if (this.#rules === 'none') return
    if (errors.list.some(({ reason }) => blocking.has(reason))) {
      errors.invalid(
        '<nil>',
        null,
        'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
      )
    } else for (const text of this.#rules.validate(asJson(object), old && asJson(old), undefined, errors)) warn(text)
  }

  validateStatus(object: KubeObject, old: KubeObject, errors: FieldErrors, afterValues?: () => void, values?: boolean): void {
    this.#statusValidator ??= statusValidator(this.structural)
    this.#statusValidator(asJson(object), asJson(old), errors, afterValues, values)
  }
}

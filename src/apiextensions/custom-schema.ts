/** All that one version's schema does with objects. Its parts are compiled when first needed, and then shared. */
import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import type { KubeObject } from '../registry/kind.js'
import type { JsonObject } from '../util/json.js'
import type { FieldErrors } from '../validation/field.js'
import { defaulter } from './schema/defaults.js'
import { type StructuralSchema, structuralSchema } from './schema/structural.js'
import { statusValidator, type ValueValidator, valueValidator } from './schema/validate.js'

const asJson = (object: KubeObject) => object as unknown as JsonObject

export class CustomSchema {
  readonly structural: StructuralSchema
  #default: ((object: JsonObject) => void) | undefined
  #validator: ValueValidator | undefined
  #statusValidator: ValueValidator | undefined

  constructor(source: JSONSchemaProps) {
    this.structural = structuralSchema(source)
  }

  default(object: KubeObject): void {
    this.#default ??= defaulter(this.structural)
    this.#default(asJson(object))
  }

  validate(object: KubeObject, old: KubeObject | undefined, errors: FieldErrors): void {
    this.#validator ??= valueValidator(this.structural)
    this.#validator(asJson(object), old && asJson(old), errors)
  }

  validateStatus(object: KubeObject, old: KubeObject, errors: FieldErrors): void {
    this.#statusValidator ??= statusValidator(this.structural)
    this.#statusValidator(asJson(object), asJson(old), errors)
  }
}

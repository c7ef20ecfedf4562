import type { JSONSchemaProps } from '../apimachinery/api/generated/apiextensions-v1.js'
import { encodeStored, isStoredAs } from '../apimachinery/formats/cbor/stored.js'
import type { RuleTimes } from '../apimachinery/structural/rules/rule-validator.js'
import { SortedForm } from '../registry/form/sorted-form.js'
import { CustomSchema } from './custom-schema.js'
import { type CustomType, customType, type GroupVersionKind } from './custom-type.js'

const apiVersionOf = ({ group, version }: GroupVersionKind) => `${group}/${version}`

/**
 * One version of a definition, with its schema and type. Both are made at first use, because most kinds of a large set of
 * definitions are never used, and schemas are large.
 */
export class DefinedVersion {
  readonly name: string
  readonly form: SortedForm
  readonly declared: () => JSONSchemaProps
  readonly #gvk: GroupVersionKind
  #schema: CustomSchema | undefined
  #type: CustomType | undefined

  readonly #times: RuleTimes | undefined
  readonly #storesCbor: boolean

  /** `storesCbor` says whether objects are stored as CBOR. */
  constructor(gvk: GroupVersionKind, declared: () => JSONSchemaProps, times?: RuleTimes, storesCbor = false) {
    this.#storesCbor = storesCbor
    this.#times = times
    this.name = gvk.version
    this.#gvk = gvk
    this.declared = declared
    this.form = new SortedForm(gvk.kind, apiVersionOf(gvk))
  }

  /** Encodes an object as it is stored. */
  stored(object: any): Buffer {
    return this.#storesCbor ? encodeStored(object, this.#gvk.kind, apiVersionOf(this.#gvk)) : this.form.encode(object)
  }

  /** Whether a stored value is in this version, and encoded as `stored` would do it. */
  isStoredForm(value: Buffer): boolean {
    return this.#storesCbor ? isStoredAs(value, apiVersionOf(this.#gvk)) : this.form.isOwn(value)
  }

  get schema(): CustomSchema {
    return (this.#schema ??= new CustomSchema(this.declared(), this.#times))
  }

  get type(): CustomType {
    return (this.#type ??= customType(this.schema.structural, this.#gvk))
  }
}

import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from '../api/generated/apiextensions-v1.js'
import { ObjectForm } from '../registry/encode.js'
import { CustomSchema } from './custom-schema.js'
import { type CustomType, customType } from './custom-type.js'

/** One version of a definition: its schema, and what follows from it. Made when first needed. */
export class DefinedVersion {
  readonly name: string
  readonly form: ObjectForm
  readonly #group: string
  readonly #kind: string
  readonly #declared: CustomResourceDefinitionVersion
  #schema: CustomSchema | undefined
  #type: CustomType | undefined

  constructor({ spec, status }: CustomResourceDefinition, declared: CustomResourceDefinitionVersion) {
    this.name = declared.name
    this.#group = spec.group
    this.#kind = status.acceptedNames.kind
    this.#declared = declared
    this.form = new ObjectForm(this.#kind, `${spec.group}/${this.name}`, true)
  }

  get schema(): CustomSchema {
    return (this.#schema ??= new CustomSchema(this.#declared.schema!.openAPIV3Schema!))
  }

  get type(): CustomType {
    return (this.#type ??= customType(this.schema.structural, { group: this.#group, version: this.name, kind: this.#kind }))
  }
}

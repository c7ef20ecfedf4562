/** The CustomResourceDefinition of a kind that a program declares: for servers that serve it, and for operators that bring it along. */
import { structuralSchema } from './structural-schema.js'

/** What of a declared kind its definition says. */
export interface DefinedKind {
  readonly group: string
  readonly kind: string
  readonly resource: string
  readonly singular?: string | undefined
  readonly shortNames?: readonly string[] | undefined
  readonly categories?: readonly string[] | undefined
  readonly namespaced?: boolean | undefined
  readonly versions: readonly { readonly storage?: boolean | undefined; readonly schema?: object | undefined }[]
}

/** The `spec`. The first version is stored and all are served, unless they say otherwise. Throws a UserError for a schema that definitions cannot express. */
export function definitionSpec({ group, kind, resource: plural, namespaced = true, versions, ...names }: DefinedKind) {
  const { singular, shortNames, categories } = names
  const hasStorage = versions.some(version => version.storage)
  return {
    group,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    names: { plural, kind, singular, shortNames, categories },
    versions: versions.map(({ schema, ...version }, i) => ({
      served: true,
      storage: !hasStorage && i === 0,
      ...version,
      ...(schema === undefined ? {} : { schema: { openAPIV3Schema: structuralSchema(schemaIn(schema)) } })
    }))
  }
}

/** The schema itself, which may stand as in a definition. */
const schemaIn = (schema: object): object => {
  const { openAPIV3Schema = schema } = schema as { openAPIV3Schema?: object }
  return openAPIV3Schema
}

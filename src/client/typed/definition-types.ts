/** Writes TypeScript types for the kinds of CustomResourceDefinitions: see `definitionTypes`. */
import { isMap } from '../../util/members.js'
import { UserError } from '../../util/user-error.js'
import type { KubeClient } from '../types.js'
import { SchemaPrinter } from './print-schema.js'

interface Version {
  readonly name: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly schema?: { readonly openAPIV3Schema?: unknown }
  readonly subresources?: { readonly status?: unknown; readonly scale?: unknown }
}

interface Definition {
  readonly group: string
  readonly kind: string
  readonly isNamespaced: boolean
  readonly versions: readonly Version[]
}

const header = `// Written by binnacle types. Do not edit.
import type {
  AppliedObject,
  KindRef,
  KindTypes,
  NamespacedMetadata,
  NewMetadata,
  ObjectMetadata,
  OwnSubresources
} from 'binnacle/client'
`

/**
 * Returns a TypeScript module for the kinds that CustomResourceDefinitions define, other objects are passed over: for every served version
 * an interface of what the server answers, one of what it takes for a new object (`…Draft`), and a constant that names the kind to
 * clients with these types. Kinds have plain names in the version that is stored, others carry their version: `WidgetV1beta1`.
 *
 * @example
 * fs.writeFileSync('src/widgets.ts', definitionTypes(await readYaml('config/crd/widgets.yaml')))
 * // import { widget } from './widgets.js'; client.of(widget)
 */
export function definitionTypes(objects: readonly unknown[]): string {
  const definitions = objects.flatMap(readDefinition)
  if (definitions.length === 0) throw new UserError('there is no CustomResourceDefinition of apiextensions.k8s.io/v1')
  const printer = new SchemaPrinter()
  for (const definition of definitions) printKind(definition, printer)
  return `${header}\n${printer.text}`
}

/**
 * Resolves with a TypeScript module for the kinds of all CustomResourceDefinitions of a cluster, or of those of some groups.
 *
 * @example
 * fs.writeFileSync('src/cert-manager.ts', await typesFromClient(client, { groups: ['cert-manager.io'] }))
 */
export async function typesFromClient(
  client: KubeClient,
  { groups }: { readonly groups?: readonly string[] } = {}
): Promise<string> {
  const { items } = await client.of('apiextensions.k8s.io/v1', 'CustomResourceDefinition').list()
  return definitionTypes(items.filter(({ spec }) => !groups || groups.includes(spec.group)))
}

const identifier = /^[A-Za-z][A-Za-z0-9]*$/

function readDefinition(object: unknown): Definition[] {
  if (!isMap(object)) return []
  if (Array.isArray(object.items)) return object.items.flatMap(readDefinition)
  if (object.kind !== 'CustomResourceDefinition' || !isMap(object.spec)) return []
  const { group, names, scope, versions } = object.spec
  const kind = isMap(names) ? names.kind : undefined
  if (typeof group !== 'string' || typeof kind !== 'string' || !identifier.test(kind) || !Array.isArray(versions)) {
    const { name } = isMap(object.metadata) ? object.metadata : {}
    throw new UserError(`the CustomResourceDefinition ${JSON.stringify(name)} has no group, no kind or no versions`)
  }
  const served = versions.filter(
    (version): version is Version => isMap(version) && typeof version.name === 'string' && version.served !== false
  )
  return [{ group, kind, isNamespaced: scope !== 'Cluster', versions: served }]
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
/** `Certificate` → `certificate`, `HTTPRoute` → `httpRoute`. */
const constantOf = (name: string) => name.replace(/^([A-Z]+(?=[A-Z][a-z])|[A-Z]+$|[A-Z])/, start => start.toLowerCase())

function printKind({ group, kind, isNamespaced, versions }: Definition, printer: SchemaPrinter): void {
  const plain = versions.find(({ storage }) => storage) ?? versions[0]
  for (const version of [...versions].sort((a, b) => Number(b === plain) - Number(a === plain))) {
    const wanted = version === plain ? kind : kind + capital(version.name.replaceAll(/[^A-Za-z0-9]/g, ''))
    const name = printer.free(
      wanted,
      capital(group.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter) => letter.toUpperCase())) + wanted
    )
    const given = version.schema?.openAPIV3Schema
    const schema = isMap(given) ? given : {}
    const apiVersion = `${group}/${version.name}`
    const metadata = isNamespaced ? 'NamespacedMetadata' : 'ObjectMetadata'
    printer.object(name, schema, 'answer', [`apiVersion: '${apiVersion}'`, `kind: '${kind}'`, `metadata: ${metadata}`])
    const draft = printer.free(`${name}Draft`)
    printer.object(draft, schema, 'create', [
      `apiVersion?: '${apiVersion}' | undefined`,
      `kind?: '${kind}' | undefined`,
      'metadata: NewMetadata'
    ])
    const names = (['status', 'scale'] as const).filter(each => version.subresources?.[each] !== undefined)
    const subresources = names.length
      ? `Pick<OwnSubresources<${name}>, ${names.map(each => `'${each}'`).join(' | ')}>`
      : 'Record<never, never>'
    const types = printer.free(`${name}Types`)
    const parts = [name, draft, `AppliedObject<${draft}>`, subresources]
    printer.add(
      `/** What clients of the kind take. */\nexport interface ${types} extends KindTypes<\n  ${parts.join(',\n  ')}\n> {}`
    )
    printer.add(
      `/** Names the kind to clients: \`client.of(${constantOf(name)})\`. */\nexport const ${constantOf(name)}: KindRef<${name}, ${types}> = { apiVersion: '${apiVersion}', kind: '${kind}' }`
    )
  }
}

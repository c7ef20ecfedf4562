/** Decodes a manifest into objects of the kinds that a plugin takes, with defaults, and validates them as the API does. */
import { ConfigError, type ConfigKind, readConfig } from '../../apimachinery/config/read-config.js'
import { list, raw, struct, typeMeta } from '../../apimachinery/config/types.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import type { Type } from '../../apimachinery/schema/model.js'
import { isRegistered } from '../../apimachinery/schema/registered.js'
import { type EnabledGates, FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateObjectMeta } from '../../apimachinery/validation/object-meta.js'
import type { KindDefinition, KubeObject } from '../../registry/kind.js'
import { exactJson } from '../../util/exact-json.js'
import { aggregateText, goQuote } from '../../util/go-format.js'
import { errorTexts, topLevel } from '../configuration/plugin-configuration.js'

export interface Manifest {
  readonly kind: KindDefinition
  readonly object: KubeObject
}

const group = 'admissionregistration.k8s.io'
const version = 'v1'

const configKind = (kind: string, apiVersion: string, type: ConfigKind['versions'][string]): ConfigKind => ({
  kind,
  versions: { [apiVersion]: type }
})

const listMeta = struct('v1.ListMeta', { resourceVersion: raw, continue: raw, remainingItemCount: raw, selfLink: raw })
const listOf = (items: Type, go: string) => struct(go, { ...typeMeta, metadata: listMeta, items: list(items) })
const anyList = configKind('List', 'v1', listOf(raw, 'v1.List'))
/** Reading a text as this kind reports what is wrong with the kind or version that it names. */
const nothing: ConfigKind = { kind: '', versions: {} }

/** Returns the objects of a document; a list has several. Throws a ConfigError with kube-apiserver's message. */
export function decodeManifest(text: string, kinds: readonly KindDefinition[], gates: EnabledGates): Manifest[] {
  const { kind: name, apiVersion } = topLevel(text) ?? {}
  if (name === anyList.kind && apiVersion === 'v1') {
    const { items = [] }: { items?: unknown[] } = readConfig(text, anyList).object
    return items.flatMap(item => decodeManifest(itemText(item), kinds, gates))
  }
  for (const kind of apiVersion === `${group}/${version}` ? kinds : []) {
    const type = loadSchema().type(kind.versions.find(({ name }) => name === version)!.type)
    if (name === kind.kind) return [complete(kind, readConfig(text, configKind(name, apiVersion as string, type)).object, gates)]
    if (name !== `${kind.kind}List`) continue
    const several = configKind(name, apiVersion as string, listOf(type, `${version}.${name}`))
    const { items = [] }: { items?: KubeObject[] } = readConfig(text, several).object
    return items.map(object => complete(kind, object, gates))
  }
  const isKnown = typeof apiVersion === 'string' && typeof name === 'string' && isRegistered(apiVersion, name)
  if (isKnown && apiVersion.startsWith(`${group}/`))
    throw new ConfigError(`unsupported resource type *${apiVersion.slice(group.length + 1)}.${name}`)
  readConfig(text, nothing)
  return []
}

/** Returns the text of a list's item, if it names a kind. */
function itemText(item: unknown): string {
  const text = exactJson(item)
  const { kind, apiVersion } = topLevel(text) ?? {}
  const isDecodable =
    kind === anyList.kind || (typeof apiVersion === 'string' && typeof kind === 'string' && isRegistered(apiVersion, kind))
  if (isDecodable) return text
  try {
    readConfig(text, nothing)
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(`failed to decode list item: ${error.message}`) : error
  }
  return text
}

function complete(kind: KindDefinition, object: KubeObject, gates: EnabledGates): Manifest {
  const { strategy } = kind
  strategy?.default?.(object, { now: Date.now() })
  const errors = new FieldErrors(gates)
  errors.collect(() => {
    validateObjectMeta(kind, object, errors)
    if (object.metadata.namespace) errors.forbidden(Path.of('metadata', 'namespace'), 'not allowed on this type')
    // validation of these kinds does not look at the request that brings them
    strategy?.validate?.(object, errors, undefined as never)
  })
  if (errors.any)
    throw new ConfigError(`${kind.kind} ${goQuote(object.metadata.name ?? '')}: ${aggregateText(errorTexts(errors))}`)
  return { kind, object }
}

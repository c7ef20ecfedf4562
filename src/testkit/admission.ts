/** Calls one admission plugin without a server, with objects in memory and an authorizer that the test controls. */
import type { AdmissionAttributes, BuiltinPlugin } from '../admission/admission.js'
import { takesPart } from '../admission/scope.js'
import type { ResourceRef } from '../apimachinery/api/resources.js'
import { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { AdmissionOperation } from '../apimachinery/request/admission.js'
import type { AuthorizationAttributes } from '../apimachinery/request/authorization.js'
import { noOrigin } from '../apimachinery/request/origin.js'
import { RequestRecord } from '../apimachinery/request/record.js'
import { StatusError } from '../apimachinery/status/status.js'
import { builtinKinds } from '../kinds/index.js'

export interface Attempt {
  readonly operation?: AdmissionOperation
  /** "pods", "ingresses.networking.k8s.io" */
  readonly resource: string
  readonly subresource?: string
  readonly namespace?: string
  readonly object?: any
  readonly oldObject?: any
  readonly dryRun?: boolean
  readonly user?: { readonly name: string; readonly groups: readonly string[] }
  /** The objects in the cluster, by resource as above. Other resources are not served. */
  readonly stored?: Readonly<Record<string, readonly any[]>>
  /** Whether the authorizer allows a query, "verb resource/name". By default it denies all. */
  readonly allows?: (question: string) => boolean
  /** Feature gates other than by default. */
  readonly featureGates?: Readonly<Record<string, boolean>>
}

export interface Outcome {
  /** The object with the changes of the plugin. */
  readonly object: any
  readonly warnings: readonly string[]
  /** Annotations of the audit event. */
  readonly annotations: ReadonlyMap<string, string>
  /** What the plugin asked the authorizer: "verb resource.group/subresource namespace/name". */
  readonly asked: readonly string[]
  /** Why the plugin refused the request, without "… is forbidden: "; undefined if it did not. */
  readonly refused: string | undefined
}

/** Runs the plugin as the admission chain does: when it takes part in the operation, mutation, then validation. */
export async function attempt(plugin: BuiltinPlugin, what: Attempt): Promise<Outcome> {
  const warnings: string[] = []
  const record = new RequestRecord('', 0)
  const asked: string[] = []
  const attributes = attributesOf(what, text => void warnings.push(text), record, asked)
  const outcome = (refused?: string): Outcome => ({
    object: attributes.object,
    warnings,
    annotations: record.annotations,
    asked,
    refused
  })
  if (!takesPart(plugin, attributes.resource, attributes.subresource, attributes.operation)) return outcome()
  try {
    await plugin.admit?.(attributes)
    await plugin.validate?.(attributes)
    return outcome()
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    return outcome(error.message.replace(/^.*? is forbidden: /, ''))
  }
}

const nobody = { name: 'alice', groups: ['system:authenticated'] }

function attributesOf(what: Attempt, warn: (text: string) => void, record: RequestRecord, asked: string[]): AdmissionAttributes {
  const { operation = 'CREATE', subresource = '', namespace = 'default', stored = {}, user = nobody } = what
  const object = structuredClone(what.object)
  const [resource, group] = partsOf(what.resource)
  const kind = builtinKinds.find(k => k.group === group && k.resource === resource)
  const authorize = async (q: AuthorizationAttributes) => {
    const groupResource = q.group === '' ? q.resource : `${q.resource}.${q.group}`
    asked.push(`${q.verb} ${groupResource}${q.subresource === '' ? '' : `/${q.subresource}`} ${q.namespace}/${q.name}`)
    return { allowed: what.allows?.(`${q.verb} ${q.resource}/${q.name}`) ?? false, reason: 'no rule' }
  }
  const services = {
    registry: new StoredObjects(stored),
    authorizer: { authorize },
    features: new FeatureGates(what.featureGates),
    random: { suffix: () => 'x1y2z' }
  }
  return {
    operation,
    resource: { group, resource, kind, namespaced: kind?.namespaced ?? true, groupResource: { group, resource } },
    subresource,
    namespace,
    name: (object ?? what.oldObject)?.metadata?.name ?? '',
    object,
    oldObject: what.oldObject,
    context: {
      now: 0,
      user,
      namespace,
      version: 'v1',
      subresource,
      dryRun: what.dryRun ?? false,
      services,
      warn,
      origin: { ...noOrigin, record }
    }
  } as unknown as AdmissionAttributes
}

/** Splits "ingresses.networking.k8s.io" into resource and group. */
function partsOf(resource: string): [resource: string, group: string] {
  const dot = resource.indexOf('.')
  return dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)]
}

/** The part of a Registry that plugins use. */
class StoredObjects {
  readonly #stored: ReadonlyMap<string, StoredResource>

  constructor(stored: Readonly<Record<string, readonly any[]>>) {
    this.#stored = new Map(Object.entries(stored).map(([name, objects]) => [name, new StoredResource(name, objects)]))
  }

  resource(group: string, resource: string): StoredResource | undefined {
    return this.#stored.get(group === '' ? resource : `${resource}.${group}`)
  }

  find(group: string, _version: string, resource: string): StoredResource | undefined {
    return this.resource(group, resource)
  }

  has(group: string, resource: string): boolean {
    return this.resource(group, resource) !== undefined
  }

  of({ group, resource }: ResourceRef): StoredResource | undefined {
    return this.resource(group, resource)
  }

  ifServed(ref: ResourceRef): StoredResource | undefined {
    return this.of(ref)
  }

  serves(ref: ResourceRef): boolean {
    return this.of(ref) !== undefined
  }

  served(): Iterable<StoredResource> {
    return this.#stored.values()
  }
}

interface CachedInTest {
  readonly object: any
  readonly name: string
  readonly namespace: string
  readonly labels: object
}

class StoredResource {
  readonly group: string
  readonly resource: string
  readonly namespaced: boolean
  readonly versions = new Set(['v1'])
  readonly kind: { readonly kind: string }
  /** As in a watch cache, which holds the text of objects. */
  readonly #objects: readonly CachedInTest[]

  constructor(name: string, objects: readonly any[]) {
    ;[this.resource, this.group] = partsOf(name)
    this.kind = { kind: objects[0]?.kind ?? '' }
    this.namespaced = builtinKinds.find(k => k.group === this.group && k.resource === this.resource)?.namespaced ?? true
    this.#objects = objects.map(object => ({
      object,
      name: object.metadata.name,
      namespace: object.metadata.namespace ?? '',
      labels: object.metadata.labels ?? {}
    }))
  }

  readonly cache = { range: (prefix: string) => this.#objects.filter(o => `${o.namespace}/${o.name}`.startsWith(prefix)) }

  get(namespace: string, name: string): CachedInTest | undefined {
    return this.#objects.find(o => o.name === name && o.namespace === namespace)
  }

  read(namespace: string, name: string): any {
    return this.get(namespace, name)?.object
  }

  list(namespace = ''): any[] {
    return this.cache.range(namespace === '' ? '' : `${namespace}/`).map(({ object }) => object)
  }

  peek({ object }: CachedInTest): any {
    return object
  }

  parse({ object }: CachedInTest): any {
    return structuredClone(object)
  }
}

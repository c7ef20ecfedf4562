/** Keeps the APIServices: which group versions extension API servers serve, and the order of groups and versions in discovery. */
import type { APIService } from '../../apimachinery/api/generated/apiregistration-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import type { Part } from '../../util/part.js'

/** How to reach the server of a group version. */
export interface RemoteServer {
  readonly namespace: string
  readonly name: string
  readonly port: number
  /** PEM. */
  readonly ca: string | undefined
  readonly insecure: boolean
}

/** A group version that an extension API server serves. */
export interface RemoteVersion {
  /** The name of its APIService. */
  readonly name: string
  readonly group: string
  readonly version: string
  readonly server: RemoteServer
  readonly isAvailable: boolean
  /** Identifies the present content of the spec. */
  readonly spec: unknown
}

export interface Priority {
  readonly group: number
  readonly version: number
}

export class ApiServiceTable implements Part {
  readonly name = 'APIServices'
  readonly #resource: Resource<APIService>
  /** Remote group versions by group, then version. */
  readonly #remote = new Map<string, Map<string, RemoteVersion>>()
  readonly #priorities = new Map<string, Map<string, Priority>>()
  readonly #listeners: (() => void)[] = []
  #handle: WatchHandle | undefined
  #generation = 0

  constructor(registry: Registry) {
    this.#resource = registry.of(refs.apiServices)
  }

  /** Increases with every change that discovery may show. */
  get generation(): number {
    return this.#generation
  }

  /** Whether this server serves everything itself. */
  get isEmpty(): boolean {
    return this.#remote.size === 0
  }

  /** Calls `listener` after changes. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  async start(): Promise<void> {
    await this.#resource.cache.load()
    this.#handle = follow(this.#resource.cache, {
      changed: ({ current, previous }) => {
        const { name } = (current ?? previous)!
        this.#set(name, current ? this.#resource.peek(current) : undefined)
      },
      settled: () => {
        for (const listener of this.#listeners) listener()
      }
    })
  }

  stop(): void {
    this.#handle?.close()
  }

  find(group: string, version: string): RemoteVersion | undefined {
    return this.#remote.get(group)?.get(version)
  }

  get(name: string): APIService | undefined {
    const cached = this.#resource.get('', name)
    return cached && this.#resource.peek(cached)
  }

  remote(name: string): RemoteVersion | undefined {
    return this.find(...splitName(name))
  }

  *all(): Generator<RemoteVersion> {
    for (const versions of this.#remote.values()) yield* versions.values()
  }

  priority(group: string, version: string): Priority | undefined {
    return this.#priorities.get(group)?.get(version)
  }

  #set(name: string, service: APIService | undefined): void {
    const [group, version] = splitName(name)
    const before = this.#remote.get(group)?.get(version)
    const spec = service?.spec
    const remote: RemoteVersion | undefined = spec?.service
      ? {
          name,
          group,
          version,
          server: {
            namespace: spec.service.namespace ?? '',
            name: spec.service.name ?? '',
            port: spec.service.port ?? 443,
            ca: spec.caBundle ? Buffer.from(spec.caBundle, 'base64').toString() : undefined,
            insecure: spec.insecureSkipTLSVerify ?? false
          },
          isAvailable: service!.status?.conditions?.some(c => c.type === 'Available' && c.status === 'True') ?? false,
          spec: JSON.stringify(spec)
        }
      : undefined
    put(this.#remote, group, version, remote)
    const priority = spec && { group: spec.groupPriorityMinimum, version: spec.versionPriority }
    const known = this.priority(group, version)
    put(this.#priorities, group, version, priority)
    if (
      before?.spec !== remote?.spec ||
      before?.isAvailable !== remote?.isAvailable ||
      known?.group !== priority?.group ||
      known?.version !== priority?.version
    )
      this.#generation++
  }
}

/** Splits the name of an APIService: `<version>.<group>`. */
function splitName(name: string): [group: string, version: string] {
  const dot = name.indexOf('.')
  return [name.slice(dot + 1), name.slice(0, dot)]
}

function put<T>(table: Map<string, Map<string, T>>, group: string, version: string, value: T | undefined): void {
  let versions = table.get(group)
  if (value === undefined) {
    versions?.delete(version)
    if (versions?.size === 0) table.delete(group)
    return
  }
  if (!versions) table.set(group, (versions = new Map()))
  versions.set(version, value)
}

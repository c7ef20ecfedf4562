/**
 * The policies of one kind with their bindings, ready to match requests. They follow the watch caches, so that a change takes
 * effect as soon as its write is acknowledged. A policy is compiled when it first matches.
 */
import type { MatchResources, ParamKind, ParamRef } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { ObjectMeta } from '../../apimachinery/api/generated/meta-v1.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { WatchHandle } from '../../storage/contract.js'
import { follow } from '../../storage/follow.js'
import { RequestMatcher } from '../matching/match-resources.js'
import { isReview } from '../matching/reviews.js'
import { couldMatch } from '../matching/rules.js'
import { equivalentsOf } from '../matching/served-resource.js'

const group = 'admissionregistration.k8s.io'

/** Resources to which only policies of manifests apply: any other policy could prevent its own deletion. */
const policyResources = new Set([
  `${group}/validatingadmissionpolicies`,
  `${group}/validatingadmissionpolicybindings`,
  `${group}/mutatingadmissionpolicies`,
  `${group}/mutatingadmissionpolicybindings`
])

export interface PolicySpec {
  readonly matchConstraints?: MatchResources | undefined
  readonly paramKind?: ParamKind | undefined
  readonly failurePolicy?: string | undefined
}

export interface BindingSpec {
  readonly policyName?: string | undefined
  readonly paramRef?: ParamRef | undefined
  readonly matchResources?: MatchResources | undefined
}

export interface Binding<B> {
  readonly name: string
  readonly spec: B
  /** Undefined when the binding does not narrow the policy's own constraints. */
  readonly matcher: RequestMatcher | undefined
}

/** A policy or binding, as an object with a name. */
export interface Named<S> {
  readonly metadata: ObjectMeta
  readonly spec: S
}

/** A policy that has bindings. */
export class BoundPolicy<P extends PolicySpec, B, C> {
  readonly name: string
  readonly spec: P
  readonly matcher: RequestMatcher
  readonly bindings: readonly Binding<B>[]
  readonly #policy: Policy<P, C>

  constructor(policy: Policy<P, C>, bindings: readonly Binding<B>[]) {
    this.name = policy.name
    this.spec = policy.spec
    this.matcher = policy.matcher
    this.bindings = bindings
    this.#policy = policy
  }

  get compiled(): C {
    return this.#policy.compiled
  }
}

class Policy<P extends PolicySpec, C> {
  readonly name: string
  readonly spec: P
  readonly matcher: RequestMatcher
  readonly #compile: (spec: P) => C
  #compiled: C | undefined

  constructor(name: string, spec: P, compile: (spec: P) => C) {
    this.name = name
    this.spec = spec
    this.matcher = new RequestMatcher(spec.matchConstraints ?? {})
    this.#compile = compile
  }

  get compiled(): C {
    return (this.#compiled ??= this.#compile(this.spec))
  }
}

export class PolicySet<P extends PolicySpec, B extends BindingSpec, C> {
  readonly #resource: string
  readonly #compile: (spec: P) => C
  readonly #policies = new Map<string, Policy<P, C>>()
  readonly #bindings = new Map<string, Binding<B>>()
  /** The policies of manifests, which apply before the others. */
  #static: readonly BoundPolicy<P, B, C>[] = none
  readonly #handles: WatchHandle[] = []
  #registry: Registry | undefined
  /** The policies that could apply to each resource: found at the first request for it, discarded with every change. */
  #concerning = new WeakMap<Resource, readonly BoundPolicy<P, B, C>[]>()
  #generation = -1

  /** `resource` is the plural of the policies, from which the plural of their bindings follows. */
  constructor(resource: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies', compile: (spec: P) => C) {
    this.#resource = resource
    this.#compile = compile
  }

  /** Follows the watch caches of the policies and bindings, which must be loaded. */
  follow(registry: Registry): void {
    this.#registry = registry
    this.#followEach<P>(this.#resource, this.#policies, (name, spec) => new Policy(name, spec, this.#compile))
    this.#followEach<B>(this.#bindingResource, this.#bindings, bindingOf)
  }

  get #bindingResource(): string {
    return this.#resource.replace(/ies$/, 'ybindings')
  }

  /** Replaces the policies and bindings of manifests. `objects` has them by the plurals of their kinds. */
  useManifests(objects: Readonly<Record<string, readonly Named<any>[]>>): void {
    const policies: readonly Named<P>[] = objects[this.#resource]!
    const bindings: readonly Named<B>[] = objects[this.#bindingResource]!
    this.#static = boundPolicies(
      policies.map(({ metadata, spec }) => new Policy(metadata.name!, spec, this.#compile)),
      bindings.map(({ metadata, spec }) => bindingOf(metadata.name!, spec))
    )
    this.#concerning = new WeakMap()
  }

  #followEach<S>(plural: string, known: Map<string, unknown>, make: (name: string, spec: S) => unknown): void {
    if (!this.#registry?.has(group, plural)) return
    const resource = this.#registry.resource(group, plural)
    const set = (cached: CachedObject) => {
      const { metadata, spec }: Named<S> = resource.parse(cached)
      known.set(metadata.name!, make(metadata.name!, spec))
    }
    this.#handles.push(
      follow(resource.cache, {
        changed({ current, previous }) {
          if (current) set(current)
          else if (previous) known.delete(previous.name)
        },
        settled: () => {
          this.#concerning = new WeakMap()
        }
      })
    )
  }

  /** Returns the bound policies that could apply to requests for the resource, sorted by name. */
  concerning(resource: Resource): readonly BoundPolicy<P, B, C>[] {
    const registry = this.#registry
    if (!registry || (this.#bindings.size === 0 && this.#static.length === 0)) return none
    if (this.#generation !== registry.generation) {
      this.#generation = registry.generation
      this.#concerning = new WeakMap()
    }
    let found = this.#concerning.get(resource)
    if (!found) this.#concerning.set(resource, (found = this.#find(registry, resource)))
    return found
  }

  #find(registry: Registry, resource: Resource): readonly BoundPolicy<P, B, C>[] {
    const name = `${resource.group}/${resource.resource}`
    if (isReview(resource)) return none
    const equivalents = equivalentsOf(registry, resource)
    const could = ({ matcher }: { readonly matcher: RequestMatcher }) => couldMatch(matcher.rules, equivalents)
    const ofManifests = this.#static.filter(could)
    if (policyResources.has(name)) return ofManifests
    return [...ofManifests, ...boundPolicies([...this.#policies.values()].filter(could), [...this.#bindings.values()])]
  }

  close(): void {
    for (const handle of this.#handles.splice(0)) handle.close()
  }
}

/** Returns the policies that have bindings, sorted by name, with their bindings, sorted as well. */
function boundPolicies<P extends PolicySpec, B extends BindingSpec, C>(
  policies: readonly Policy<P, C>[],
  bindings: readonly Binding<B>[]
): BoundPolicy<P, B, C>[] {
  return [...policies].sort(byName).flatMap(policy => {
    const its = bindings.filter(({ spec }) => spec.policyName === policy.name).sort(byName)
    return its.length > 0 ? [new BoundPolicy(policy, its)] : []
  })
}

const bindingOf = <B extends BindingSpec>(name: string, spec: B): Binding<B> => ({
  name,
  spec,
  matcher: spec.matchResources && new RequestMatcher(spec.matchResources)
})

const none: readonly never[] = []
const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)

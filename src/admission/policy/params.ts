/** Finds the parameters that a binding gives to its policy. */
import type { ParamKind, ParamRef } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import type { Registry } from '../../registry/registry.js'
import type { CachedObject } from '../../storage/cached-object.js'
import type { ServedResource } from '../matching/served-resource.js'

/** A policy or its binding cannot be used for the request. */
export class ConfigurationError extends Error {}

/** Finds the resource of a policy's parameters, and loads its watch cache. Throws a ConfigurationError. */
export async function paramResource(paramKind: ParamKind, registry: Registry): Promise<ServedResource> {
  const found = findResource(paramKind, registry)
  // a version of a custom resource loads its watch cache when it is first used
  if (!found.resource.cache.ready) await found.resource.cache.load()
  return found
}

function findResource(paramKind: ParamKind, registry: Registry): ServedResource {
  const { apiVersion = '', kind = '' } = paramKind
  const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion]
  for (const resource of registry.served())
    if (resource.kind.kind === kind && resource.group === group && resource.versions.has(version)) return { resource, version }
  throw new ConfigurationError(`failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind}'`)
}

/** The parameters of a policy that declares none: it is evaluated once. */
const withoutParams: readonly unknown[] = [null]

/**
 * Finds the parameters with which the policy is evaluated, once with each. `namespace` is the request's. Throws a
 * ConfigurationError.
 */
export function collectParams(of: ServedResource | undefined, ref: ParamRef | undefined, namespace: string): readonly unknown[] {
  if (!of || !ref) return withoutParams
  const { resource } = of
  const within = ref.namespace || namespace
  if (resource.namespaced && within === '')
    throw new ConfigurationError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources')
  if (!resource.namespaced && ref.namespace)
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`')
  const found = find(of, ref, resource.namespaced ? within : '')
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction')
  return found.map(cached => shown(of, cached))
}

function find({ resource }: ServedResource, { name, selector }: ParamRef, namespace: string): CachedObject[] {
  if (name) {
    const found = resource.get(namespace, name)
    return found ? [found] : []
  }
  const matches = labelSelectorMatcher(selector)
  const prefix = resource.namespaced ? `${namespace}/` : ''
  return [...resource.cache.range(prefix)].filter(({ labels }) => matches(labels))
}

function shown({ resource, version }: ServedResource, cached: CachedObject): unknown {
  return version === resource.memoryVersion.name ? resource.peek(cached) : resource.inVersion(resource.parse(cached), version)
}

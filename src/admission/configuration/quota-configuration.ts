/** The configuration of the plugin ResourceQuota: resources that may be used only where a quota covers them. */
import type { ConfigKind } from '../../apimachinery/config/read-config.js'
import { list, named, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import type { Scope } from '../../kinds/quota/evaluator.js'
import { readPluginConfig, refuseInvalid, topLevel } from './plugin-configuration.js'

export interface LimitedResource {
  readonly group: string
  readonly resource: string
  /** A quota must cover each name of the usage that contains one of these texts. */
  readonly matchContains: readonly string[]
  /** A quota with this scope must cover an object that is in it. */
  readonly matchScopes: readonly Scope[]
}

function typeOf(version: string) {
  const scope = struct('v1.ScopedResourceSelectorRequirement', {
    scopeName: named('v1.ResourceQuotaScope'),
    operator: named('v1.ScopeSelectorOperator'),
    values: list(string)
  })
  const limited = struct(`${version}.LimitedResource`, {
    apiGroup: string,
    resource: string,
    matchContains: list(string),
    matchScopes: list(scope)
  })
  return struct(`${version}.Configuration`, { ...typeMeta, limitedResources: list(limited) })
}

const kind: ConfigKind = {
  kind: 'ResourceQuotaConfiguration',
  versions: { 'apiserver.config.k8s.io/v1': typeOf('v1') }
}

const oldGroup = 'resourcequota.admission.k8s.io'
/** The kind's name and group before it became v1. */
const oldKind: ConfigKind = {
  kind: 'Configuration',
  versions: { [`${oldGroup}/v1beta1`]: typeOf('v1beta1'), [`${oldGroup}/v1alpha1`]: typeOf('v1alpha1') }
}

const isOld = (text: string) => Object.hasOwn(oldKind.versions, String(topLevel(text)?.apiVersion))

/** Throws a ConfigError. */
export function readLimitedResources(text: string | undefined): readonly LimitedResource[] {
  if (text === undefined) return []
  const { limitedResources = [] } = readPluginConfig(text, isOld(text) ? oldKind : kind).object
  const errors = new FieldErrors()
  limitedResources.forEach(({ resource }: any, i: number) => {
    if (!resource) errors.required(Path.of('limitedResources').index(i).child('resource'))
  })
  refuseInvalid(errors)
  return limitedResources.map(({ apiGroup = '', resource, matchContains = [], matchScopes = [] }: any) => ({
    group: apiGroup,
    resource,
    matchContains,
    matchScopes
  }))
}

/** The configuration of the plugin PodTolerationRestriction, podtolerationrestriction.admission.k8s.io/v1alpha1. */
import type { Toleration } from '../../api/generated/core-v1.js'
import { ConfigError, type ConfigKind } from '../../config/read-config.js'
import { int64, list, named, pointer, string, struct, typeMeta } from '../../config/types.js'
import { parseJson, SyntaxFailure } from '../../formats/body.js'
import { validateTolerations } from '../../kinds/core/pod/toleration-validation.js'
import { DecodeError, decode } from '../../schema/decode.js'
import { describeJson } from '../../schema/scalars.js'
import { plainError } from '../../status/status.js'
import { FieldErrors, Path } from '../../validation/field.js'
import { errorTexts, readPluginConfig } from './plugin-configuration.js'

export interface TolerationSettings {
  /** Of Pods whose namespace has no default of its own. */
  readonly defaults: readonly Toleration[]
  /** What Pods may tolerate whose namespace has no whitelist; anything if it is empty. */
  readonly whitelist: readonly Toleration[]
}

const toleration = struct('v1.Toleration', {
  key: string,
  operator: named('v1.TolerationOperator'),
  value: string,
  effect: named('v1.TaintEffect'),
  tolerationSeconds: pointer(int64)
})

const kind: ConfigKind = {
  kind: 'Configuration',
  versions: {
    'podtolerationrestriction.admission.k8s.io/v1alpha1': struct('v1alpha1.Configuration', {
      ...typeMeta,
      default: list(toleration),
      whitelist: list(toleration)
    })
  }
}

/** Throws a ConfigError. */
export function readTolerationSettings(text: string | undefined): TolerationSettings {
  if (text === undefined) return { defaults: [], whitelist: [] }
  const { default: defaults = [], whitelist = [] } = readPluginConfig(text, kind, true).object
  const errors = new FieldErrors()
  const path = Path.of('podtolerationrestriction')
  validateTolerations(defaults, path.child('default'), errors)
  validateTolerations(whitelist, path.child('whitelist'), errors)
  if (errors.any) throw new ConfigError(`invalid config: [${errorTexts(errors).join(' ')}]`)
  return { defaults, whitelist }
}

const inList = struct('v1.Tolerations', { list: list(toleration) })

/** Reads the JSON of an annotation. Throws a StatusError of 500, as kube-apiserver answers. */
export function readTolerations(text: string): readonly Toleration[] {
  try {
    const { value } = parseJson(text, true)
    if (value !== null && !Array.isArray(value))
      throw new DecodeError(`json: cannot unmarshal ${describeJson(value)} into Go value of type []v1.Toleration`)
    return decode(inList, { list: value }).object.list ?? []
  } catch (error) {
    throw error instanceof SyntaxFailure || error instanceof DecodeError ? plainError(error.message) : error
  }
}

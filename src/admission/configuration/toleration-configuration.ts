/** The configuration of the plugin PodTolerationRestriction, podtolerationrestriction.admission.k8s.io/v1alpha1. */
import type { Toleration } from '../../apimachinery/api/generated/core-v1.js'
import { ConfigError, type ConfigKind } from '../../apimachinery/config/read-config.js'
import { int64, list, named, pointer, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { SyntaxFailure } from '../../apimachinery/formats/body-format.js'
import { parseJson } from '../../apimachinery/formats/json-body.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import { describeJson } from '../../apimachinery/schema/scalars.js'
import { plainError } from '../../apimachinery/status/status.js'
import { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateTolerations } from '../../kinds/core/pod/toleration-validation.js'
import { isObject } from '../../util/json.js'
import { errorTexts, readPluginConfig } from './plugin-configuration.js'

export interface TolerationSettings {
  /** The tolerations of Pods whose namespace has no default of its own. */
  readonly defaults: readonly Toleration[]
  /** What Pods may tolerate whose namespace has no whitelist; anything if the list is empty. */
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

/** Reads the JSON of an annotation. Throws a 500 as kube-apiserver does. */
export function readTolerations(text: string): readonly Toleration[] {
  const wrong = (value: unknown, type: string) =>
    plainError(`json: cannot unmarshal ${describeJson(value)} into Go value of type ${type}`)
  try {
    const { value } = parseJson(text, true)
    if (value === null) return []
    if (!Array.isArray(value)) throw wrong(value, '[]v1.Toleration')
    return value.map(item => {
      if (!isObject(item)) throw wrong(item, 'v1.Toleration')
      return decode(toleration, withGoNames(item)).object as Toleration
    })
  } catch (error) {
    if (error instanceof SyntaxFailure) throw plainError(error.message.replace(/^.*json parse error: /, ''))
    throw error instanceof DecodeError ? plainError(error.message) : error
  }
}

/** Gives the fields Go's names, because Go's own decoder ignores the case of names. */
function withGoNames(given: Record<string, unknown>): Record<string, unknown> {
  const named = Object.entries(given).map(([key, value]) => {
    const field = toleration.fields.find(({ name }) => name.toLowerCase() === key.toLowerCase())
    return [field?.name ?? key, value]
  })
  return Object.fromEntries(named)
}

/** Reads --disabled-metrics, --allow-metric-labels and related flags, and refuses wrong values with kube-apiserver's words. */
import { readFileSync } from 'node:fs'
import { normalize } from 'node:path'
import { readYaml } from '../../apimachinery/formats/yaml-parse.js'
import { goFileError } from '../../util/go-file-error.js'
import { goQuote } from '../../util/go-format.js'
import type { AllowedValues } from '../../util/instruments/family.js'
import type { MetricOptions } from '../../util/instruments/metrics.js'
import { isObject } from '../../util/json.js'
import { kubernetesMinor } from '../../util/kubernetes-version.js'
import { UserError } from '../../util/user-error.js'

export interface MetricSettings {
  readonly disabledMetrics?: readonly string[] | undefined
  readonly allowMetricLabels?: Readonly<Record<string, string>> | undefined
  readonly allowMetricLabelsManifest?: string | undefined
  readonly showHiddenMetricsForVersion?: string | undefined
}

const labelPattern = '[a-zA-Z_][a-zA-Z0-9_]*'
const namePattern = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const metricName = new RegExp(`^${namePattern}$`)
const metricAndLabel = new RegExp(`^${namePattern},${labelPattern}$`)

/** Throws a UserError with everything that is wrong. */
export function metricOptions(settings: MetricSettings): MetricOptions {
  const { disabledMetrics = [], allowMetricLabels, showHiddenMetricsForVersion: version = '' } = settings
  const manifest = settings.allowMetricLabelsManifest ?? ''
  const errors: string[] = []
  const previous = `1.${kubernetesMinor - 1}`
  if (version !== '' && version !== previous)
    errors.push(
      `metrics.showHiddenMetricsForVersion: Invalid value: ${goQuote(version)}: must be omitted or have the value '${previous}'; only the previous minor version is allowed`
    )
  const wrong = disabledMetrics.find(name => !metricName.test(name))
  if (wrong !== undefined)
    errors.push(
      `metrics.disabledMetrics: Invalid value: ${JSON.stringify(disabledMetrics)}: must be fully qualified metric names matching "${metricName.source}", got ${goQuote(wrong)}`
    )
  if (allowMetricLabels) errors.push(...mappingErrors(allowMetricLabels, 'metrics.allowListMapping'))
  const listed = manifest === '' ? undefined : readManifest(manifest, errors)
  if (allowMetricLabels && manifest !== '')
    errors.push(
      `metrics: Invalid value: ${JSON.stringify({ allowListMapping: allowMetricLabels, allowListMappingManifest: manifest })}: cannot specify both allowListMapping and allowListMappingManifest`
    )
  if (errors.length > 0) throw new UserError(errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`)
  return {
    disabled: new Set(disabledMetrics),
    showHidden: version !== '',
    allowed: allowedValues(allowMetricLabels ?? listed ?? {})
  }
}

function mappingErrors(mapping: Readonly<Record<string, string>>, path: string): string[] {
  if (Object.keys(mapping).every(key => metricAndLabel.test(key))) return []
  const what = `must have keys with format \`metricName,labelName\` where metricName matches "${namePattern}" and labelName matches "${labelPattern}"`
  return [`${path}: Invalid value: ${JSON.stringify(mapping)}: ${what}`]
}

function readManifest(path: string, errors: string[]): Record<string, string> | undefined {
  const wrong = (why: string) => {
    errors.push(`metrics.allowListMappingManifest: Invalid value: ${goQuote(path)}: ${why}`)
    return undefined
  }
  const file = normalize(path)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return wrong(`failed to read allow list manifest: ${goFileError('open', file, error)}`)
  }
  let mapping: unknown
  try {
    mapping = readYaml(text).value ?? {}
  } catch (error) {
    return wrong(`failed to parse allow list manifest: ${(error as Error).message}`)
  }
  if (!isObject(mapping) || Object.values(mapping).some(value => typeof value === 'object' && value !== null))
    return wrong('failed to parse allow list manifest: it must map "metric,label" to a text of values with commas between them')
  const texts = Object.fromEntries(Object.entries(mapping).map(([key, value]) => [key, String(value ?? '')]))
  const problems = mappingErrors(texts, 'metrics.allowListMappingManifest')
  if (problems.length > 0) return wrong(`invalid allow list mapping in manifest: [${problems.join(' ')}]`)
  return texts
}

function allowedValues(mapping: Readonly<Record<string, string>>): ReadonlyMap<string, AllowedValues> {
  const allowed = new Map<string, Map<string, ReadonlySet<string>>>()
  for (const [key, values] of Object.entries(mapping)) {
    const [name, label] = key.split(',') as [string, string]
    const labels = allowed.get(name) ?? new Map()
    allowed.set(name, labels.set(label, new Set(values.split(','))))
  }
  return allowed
}

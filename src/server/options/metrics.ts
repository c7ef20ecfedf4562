import { kubernetesMinor } from '../../util/kubernetes-version.js'
import { valueTypes } from '../../util/members.js'
import { option } from './option.js'
import { InvalidValue, string, strings, type ValueType } from './value-types.js'

/** Pairs of `key=value` with commas between them. A pair that contains commas stands in quotes, unless it is the only one. */
const stringToString: ValueType<Readonly<Record<string, string>> | undefined> = {
  label: 'stringToString',
  value: valueTypes.textsByName,
  read(text, previous) {
    const pairs = text.split('=').length === 2 ? [text.replace(/^"|"$/g, '')] : csvFields(text)
    const added = pairs.map(pair => {
      const equals = pair.indexOf('=')
      if (equals < 0) throw new InvalidValue(`${pair} must be formatted as key=value`)
      return [pair.slice(0, equals), pair.slice(equals + 1)] as const
    })
    return { ...previous, ...Object.fromEntries(added) }
  }
}

/** Splits a line of CSV into its fields. */
function csvFields(text: string): string[] {
  const fields: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  while (field.lastIndex <= text.length) {
    const found = field.exec(text)
    if (!found) throw new InvalidValue('must be pairs of key=value with commas between them')
    fields.push(found[1] === undefined ? found[2]! : found[1].replaceAll('""', '"'))
    if (found[3] === '') break
  }
  return fields
}

/** The flags about /metrics. */
export const metricsOptions = {
  allowMetricLabels: option({
    flag: 'allow-metric-labels',
    section: 'Metrics',
    type: stringToString,
    default: undefined,
    help: 'The values that a label of a metric may have; others are shown as "unexpected". METRIC,LABEL=VALUE,VALUE, in quotes when there are several such pairs.'
  }),
  allowMetricLabelsManifest: option({
    flag: 'allow-metric-labels-manifest',
    isPath: 'as given',
    section: 'Metrics',
    type: string,
    default: undefined,
    help: 'YAML file with such pairs: "METRIC,LABEL": "VALUE,VALUE". Not together with --allow-metric-labels.'
  }),
  disabledMetrics: option({
    flag: 'disabled-metrics',
    section: 'Metrics',
    type: strings(text => text),
    default: [] as readonly string[],
    help: 'Names of metrics that /metrics leaves out.'
  }),
  showHiddenMetricsForVersion: option({
    flag: 'show-hidden-metrics-for-version',
    section: 'Metrics',
    type: string,
    default: undefined,
    help: `Shows deprecated metrics that are hidden since this release, which must be the previous one: 1.${kubernetesMinor - 1}.`
  })
}

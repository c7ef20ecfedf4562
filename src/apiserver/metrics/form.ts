/** In which of its formats Prometheus' client library would answer a request for metrics. */
import { parseAccept } from '../../apimachinery/formats/accept.js'

export interface MetricsForm {
  readonly isProtobuf: boolean
  readonly contentType: string
}

const protobuf = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited'
const text = 'text/plain; version=0.0.4; charset=utf-8'
/**
 * Prometheus' schemes for names with other characters than letters, digits, underscores and colons. No metric here has such a name, so the answer only
 * repeats the scheme that was asked for.
 */
const escapings = new Set(['allow-utf-8', 'underscores', 'dots', 'values'])

/**
 * Text, unless the header prefers Protobuf's delimited messages to it. The two forms of Protobuf for the eyes, `encoding=text` and
 * `compact-text`, are not there.
 */
export function metricsForm(accept: string): MetricsForm {
  let escaping = 'underscores'
  for (const { type, subtype, params } of parseAccept(accept)) {
    const wanted = params.get('escaping')
    if (wanted !== undefined && escapings.has(wanted)) escaping = wanted
    const isProtobuf =
      (type === 'application' || type === '*') &&
      (subtype === 'vnd.google.protobuf' || subtype === '*') &&
      params.get('proto') === 'io.prometheus.client.MetricFamily' &&
      params.get('encoding') === 'delimited'
    if (isProtobuf) return { isProtobuf, contentType: `${protobuf}; escaping=${escaping}` }
    const isText =
      (type === 'text' || type === '*') &&
      (subtype === 'plain' || subtype === '*') &&
      (params.get('version') ?? (type === 'text' && subtype === 'plain' ? '0.0.4' : '')) === '0.0.4'
    if (isText) break
  }
  return { isProtobuf: false, contentType: `${text}; escaping=${escaping}` }
}

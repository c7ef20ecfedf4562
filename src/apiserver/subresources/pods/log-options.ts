import type { FeatureGates } from '../../../apimachinery/features/feature-gates.js'
import { queryInteger } from '../../../apimachinery/request/query-integer.js'
import { isTrue } from '../../../apimachinery/request/request-info.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'

/** The field that kube-apiserver names in errors about several fields. */
const whole = '[]'

const streams: readonly string[] = ['All', 'Stderr', 'Stdout']

/**
 * Validates the options of a request for a Pod's log (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/).
 * Returns the parameters for the kubelet.
 */
export function logOptions(query: URLSearchParams, name: string, features: FeatureGates): [name: string, value: string][] {
  const selectsStreams = features.enabled('PodLogsQuerySplitStreams')
  const sinceSeconds = queryInteger(query, 'sinceSeconds')
  const sinceTime = query.get('sinceTime')
  if (sinceTime && Number.isNaN(Date.parse(sinceTime)))
    throw badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(sinceTime)} as "2006"`
    )
  const tailLines = queryInteger(query, 'tailLines')
  const limitBytes = queryInteger(query, 'limitBytes')
  const stream = query.get('stream')
  const errors = new FieldErrors()
  if (tailLines !== undefined && tailLines < 0) errors.invalid('tailLines', tailLines, 'must be greater than or equal to 0')
  if (limitBytes !== undefined && limitBytes < 1) errors.invalid('limitBytes', limitBytes, 'must be greater than 0')
  if (sinceSeconds !== undefined && sinceTime)
    errors.forbidden(whole, 'at most one of `sinceTime` or `sinceSeconds` may be specified')
  else if (sinceSeconds !== undefined && sinceSeconds < 1) errors.invalid('sinceSeconds', sinceSeconds, 'must be greater than 0')
  if (stream !== null && !selectsStreams) errors.forbidden('stream', 'may not be specified')
  if (stream !== null && selectsStreams) {
    if (!streams.includes(stream)) errors.notSupported('stream', stream, streams)
    if (stream !== 'All' && tailLines !== undefined)
      errors.forbidden(whole, '`tailLines` and specific `stream` are mutually exclusive for now')
  }
  if (errors.any) throw invalidObject({ group: '', kind: 'PodLogOptions' }, name, errors)

  const parameters: [string, string][] = []
  for (const flag of ['follow', 'previous', 'timestamps']) if (isTrue(query.get(flag))) parameters.push([flag, 'true'])
  if (sinceSeconds !== undefined) parameters.push(['sinceSeconds', String(sinceSeconds)])
  if (sinceTime) parameters.push(['sinceTime', new Date(sinceTime).toISOString().replace(/\.\d+Z$/, 'Z')])
  if (tailLines !== undefined) parameters.push(['tailLines', String(tailLines)])
  if (limitBytes !== undefined) parameters.push(['limitBytes', String(limitBytes)])
  if (selectsStreams) parameters.push(['stream', stream ?? 'All'])
  return parameters
}

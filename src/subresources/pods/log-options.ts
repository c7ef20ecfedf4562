import { queryInteger } from '../../request/query-integer.js'
import { badRequest } from '../../status/status.js'
import { FieldErrors } from '../../validation/field.js'
import { invalidObject } from '../../validation/invalid.js'

/** Validates the options of a request for a Pod's log (https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/). */
export function validateLogOptions(query: URLSearchParams, name: string): void {
  const sinceSeconds = queryInteger(query, 'sinceSeconds')
  const sinceTime = query.get('sinceTime')
  if (sinceTime && Number.isNaN(Date.parse(sinceTime)))
    throw badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00": cannot parse ${JSON.stringify(sinceTime)} as "2006"`
    )
  const tailLines = queryInteger(query, 'tailLines')
  const limitBytes = queryInteger(query, 'limitBytes')
  const errors = new FieldErrors()
  if (tailLines !== undefined && tailLines < 0) errors.invalid('tailLines', tailLines, 'must be greater than or equal to 0')
  if (limitBytes !== undefined && limitBytes < 1) errors.invalid('limitBytes', limitBytes, 'must be greater than 0')
  if (sinceSeconds !== undefined && sinceTime)
    errors.forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified')
  else if (sinceSeconds !== undefined && sinceSeconds < 1) errors.invalid('sinceSeconds', sinceSeconds, 'must be greater than 0')
  if (query.has('stream')) errors.forbidden('stream', 'may not be specified')
  if (errors.any) throw invalidObject({ group: '', kind: 'PodLogOptions' }, name, errors)
}

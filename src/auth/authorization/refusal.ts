import type { AuthorizationAttributes, Decision } from '../../apimachinery/request/authorization.js'
import { forbidden, forbiddenPath, StatusError } from '../../apimachinery/status/status.js'
import { goQuote, withoutHtml } from '../../util/go-format.js'

/** Makes the 403 for a request that no authorizer allows. */
export function refusal(a: AuthorizationAttributes, reason: string): StatusError {
  const because = reason === '' ? '' : `: ${reason}`
  const user = `User ${goQuote(a.user.name)} cannot ${a.verb}`
  if (!a.isResourceRequest) return forbiddenPath(`${withoutHtml(`${user} path ${goQuote(a.path)}`)}${because}`)
  const resource = a.subresource === '' ? a.resource : `${a.resource}/${a.subresource}`
  const where = a.namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(a.namespace)}`
  const what = withoutHtml(`${user} resource ${goQuote(resource)} in API group ${goQuote(a.group)} ${where}`)
  return forbidden({ group: a.group, resource: a.resource }, a.name, `${what}${because}`)
}

/** Makes the 403 for a request that is refused because an authorizer failed: the error stands before the reason. */
export const refusalWithError = (a: AuthorizationAttributes, { reason, error }: Decision): StatusError =>
  refusal(a, error === undefined ? reason : reason === '' ? error : `${error}: ${reason}`)

/** Headers that kube-apiserver adds when it refuses a request before it reaches an endpoint. */
const headersAtTheDoor = { 'x-content-type-options': 'nosniff' }

export const atTheDoor = (error: StatusError): StatusError => new StatusError(error.status, headersAtTheDoor)

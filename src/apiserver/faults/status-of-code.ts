/** Makes the errors with which kube-apiserver would answer a request, by their codes. */

import type { Subject } from '../../apimachinery/request/fault-subject.js'
import * as status from '../../apimachinery/status/status.js'

/** The most bytes that a body of kube-apiserver may have. */
const bodyLimit = 3 * 1024 * 1024
const bodyTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

export function statusOfCode(code: number, subject: Subject): status.StatusError {
  const { user, verb, group, resource, subresource, namespace, name } = subject
  const r = { group, resource }
  switch (code) {
    case 400:
      return status.badRequest('the server rejected our request for an unknown reason')
    case 401:
      return status.unauthorized()
    case 403:
      if (resource === '')
        return status.forbiddenPath(`User ${JSON.stringify(user)} cannot ${verb} path ${JSON.stringify(subject.path)}`)
      return status.forbidden(r, name, permission(subject))
    case 404:
      return resource === '' ? status.noSuchResource() : status.notFound(r, name)
    case 405:
      return status.methodNotAllowed()
    case 406:
      return status.notAcceptable(`only the following media types are accepted: ${bodyTypes.join(', ')}`)
    case 409:
      return verb === 'create' && subresource === '' ? status.alreadyExists(r, name) : status.staleResourceVersion(r, name)
    case 410:
      return status.expired(`The resourceVersion for the provided ${verb === 'list' ? 'list' : 'watch'} is too old.`)
    case 413:
      return status.tooLarge(bodyLimit)
    case 415:
      return status.unsupportedBody(bodyTypes)
    case 429:
      return status.tooManyRequests('Too many requests, please try again later.', 1)
    case 500:
      return status.internalError('a fault was injected')
    case 503:
      return status.unavailable('the server is currently unable to handle the request')
    case 504:
      return status.timeout('Timeout: request did not complete within requested timeout - context deadline exceeded', {})
    default:
      return status.unexpectedAnswer(code, r, name, 'unknown')
  }

  function permission({ verb, group, resource, subresource }: Subject): string {
    const what = subresource === '' ? resource : `${resource}/${subresource}`
    const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
    return `User ${JSON.stringify(user)} cannot ${verb} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${where}`
  }
}

/** What rules look at: a request, or a write of the server itself. */
import type { RequestContext } from './context.js'
import type { RequestSteps } from './steps.js'

export interface Subject {
  readonly user: string
  /** Whether this is the server's own work, for no request. */
  readonly isOwn: boolean
  readonly verb: string
  readonly group: string
  /** The name of the resource; "" outside the resources. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly path: string
  readonly userAgent: string
  /** The recorder's entry for the request, where requests are recorded. */
  readonly steps?: RequestSteps | undefined
}

export function subjectOf(context: RequestContext, name = context.info.name): Subject {
  const { verb, group, resource, subresource, namespace, path, isResourceRequest } = context.info
  return {
    user: context.user.name,
    isOwn: false,
    verb,
    group,
    resource: isResourceRequest ? resource : '',
    subresource,
    namespace,
    name,
    path,
    userAgent: context.header('user-agent') ?? '',
    steps: context.record.steps
  }
}

/** A call of a webhook without a known request. */
export const noSubject: Subject = {
  user: '',
  isOwn: false,
  verb: '',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  path: '',
  userAgent: ''
}

/** `deployments.apps/status`, or the path. */
export function resourceText({ group, resource, subresource, path }: Subject): string {
  if (resource === '') return path
  return `${resource}${group === '' ? '' : `.${group}`}${subresource === '' ? '' : `/${subresource}`}`
}

import { request } from './request.js'
import { impersonated, token } from './session.js'
import type { Resource } from './types.js'

type Kind = Pick<Resource, 'group' | 'name'>

// What one may changes hardly ever while one looks at it; who one is begins anew.
let answers = new Map<string, Promise<boolean>>()
let whose = ''

/** Whether one may do something (SelfSubjectAccessReview). Where the server does not say, it will say so when one tries. */
export function may(
  verb: string,
  { group, name }: Kind,
  subresource: string,
  namespace: string,
  object: string
): Promise<boolean> {
  const self = JSON.stringify([token.value, impersonated.value])
  if (self !== whose) answers = new Map()
  whose = self
  const resourceAttributes = { verb, group, resource: name, subresource, namespace, name: object }
  const key = JSON.stringify(resourceAttributes)
  let answer = answers.get(key)
  if (!answer) {
    answer = request<{ status: { allowed: boolean } }>('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {
      method: 'POST',
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } }
    }).then(
      ({ status }) => status.allowed,
      () => true
    )
    // one page asks about a handful
    if (answers.size > 200) answers = new Map()
    answers.set(key, answer)
  }
  return answer
}

/** The authorizer that expressions ask: `authorizer` and `authorizer.requestResource`. */

import {
  type AuthorizationAnswer,
  type AuthorizationQuestion,
  type Authorize,
  authorizer,
  resourceAuthorizer
} from '../../apimachinery/cel/library/authorization.js'
import type { Value } from '../../apimachinery/cel/values/value.js'
import { type AuthorizationAttributes, aboutResource, type Decision } from '../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../apimachinery/request/user.js'
import { serviceAccountUser } from '../../apimachinery/request/usernames.js'
import { readableFieldSelector } from '../../apimachinery/selectors/fields.js'
import { readableLabelSelector } from '../../apimachinery/selectors/labels.js'
import type { AdmissionAttributes } from '../admission.js'

/** The values of `authorizer` and `authorizer.requestResource`. */
export interface Authorizers {
  readonly all: Value
  readonly requestResource: Value
}

/** Ends an evaluation that needs the answer of an authorizer that has to be waited for, such as a webhook. */
class AwaitedAnswer extends Error {
  readonly arrival: Promise<void>

  constructor(arrival: Promise<void>) {
    super('the authorizer has not answered yet')
    this.arrival = arrival
  }
}

/**
 * Runs an evaluation whose expressions use these authorizers. Expressions are evaluated synchronously. So an evaluation that needs an
 * answer which has still to come is given up, and begins again when the answer is there. `evaluate` must therefore change nothing.
 * Returns a promise only when an answer had to come.
 */
export function whenAnswered<T>(evaluate: () => T): T | Promise<T> {
  try {
    return evaluate()
  } catch (error) {
    if (!(error instanceof AwaitedAnswer)) throw error
    return error.arrival.then(() => whenAnswered(evaluate))
  }
}

/** Makes the authorizers for one request. They ask each question once. */
export function authorizersFor(attributes: AdmissionAttributes): Authorizers {
  const { resource, subresource, namespace, name, context } = attributes
  const authorize = authorizeAs(context.user, attributes)
  const asked = { group: resource.group, resource: resource.resource, subresource, namespace, name }
  return { all: authorizer(authorize), requestResource: resourceAuthorizer(authorize, asked) }
}

function authorizeAs(user: UserInfo, { context }: AdmissionAttributes): Authorize {
  const answers = new Map<string, AuthorizationAnswer>()
  return question => {
    const key = JSON.stringify(question)
    const known = answers.get(key)
    if (known) return known
    const decision = context.services.authorizer.authorize(attributesOf(user, question))
    const keep = (decided: Decision) => {
      const answer = answerOf(decided)
      answers.set(key, answer)
      return answer
    }
    if (decision instanceof Promise) throw new AwaitedAnswer(decision.then(decided => void keep(decided)))
    return keep(decision)
  }
}

function attributesOf(user: UserInfo, question: AuthorizationQuestion): AuthorizationAttributes {
  const { verb, serviceAccount, path, fieldSelector = '', labelSelector = '', ...asked } = question
  const { group = '', resource = '', subresource = '', namespace = '', name = '' } = asked
  const who = serviceAccount ? serviceAccountUser(serviceAccount.namespace, serviceAccount.name) : user
  const about = aboutResource({ user: who, verb, group, resource, subresource, namespace, name })
  if (path !== undefined) return { ...about, isResourceRequest: false, version: '', path }
  return {
    ...about,
    fieldSelector: fieldSelector === '' ? undefined : readableFieldSelector(fieldSelector),
    labelSelector: labelSelector === '' ? undefined : readableLabelSelector(labelSelector)
  }
}

const answerOf = ({ allowed, reason, error }: Decision): AuthorizationAnswer => ({ allowed, reason, error })

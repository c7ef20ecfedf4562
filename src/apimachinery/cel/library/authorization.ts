/** Queries of the authorizer. Every environment declares them, but only policies have an `authorizer` variable. */
import { nameIsLabel, nameIsSubdomain } from '../../validation/names.js'
import { type CallCost, constant } from '../cost/call-cost.js'
import { add, fixed, type Range, scale, unknownSize } from '../cost/estimate-range.js'
import { listCost, messageCost, perCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { type Library, overload } from '../declarations.js'
import { objectType } from '../types.js'
import { CelError, ObjectValue, type Value } from '../values/value.js'

const prefix = 'kubernetes.authorization.'
export const authorizerType = objectType(`${prefix}Authorizer`)
const pathCheckType = objectType(`${prefix}PathCheck`)
const groupCheckType = objectType(`${prefix}GroupCheck`)
export const resourceCheckType = objectType(`${prefix}ResourceCheck`)
const decisionType = objectType(`${prefix}Decision`)
const types = {
  Authorizer: authorizerType,
  PathCheck: pathCheckType,
  GroupCheck: groupCheckType,
  ResourceCheck: resourceCheckType,
  Decision: decisionType
}

/** A query, about either a path or a resource of a group. */
export interface AuthorizationQuestion {
  readonly verb: string
  /** Undefined for the authorizer's own user. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string }
  readonly path?: string
  readonly group?: string
  readonly resource?: string
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  readonly fieldSelector?: string
  readonly labelSelector?: string
}

export interface AuthorizationAnswer {
  readonly allowed: boolean
  readonly reason: string
  readonly error: string | undefined
}

/** Evaluation is synchronous, so the answer must be available at once. */
export type Authorize = (question: AuthorizationQuestion) => AuthorizationAnswer

type Asked = Omit<AuthorizationQuestion, 'verb'>

/** An incomplete query. Its type shows which parts it has. */
class Check extends ObjectValue {
  readonly type
  readonly #authorize: Authorize
  readonly #asked: Asked

  constructor(type: typeof authorizerType, authorize: Authorize, asked: Asked) {
    super()
    this.type = type
    this.#authorize = authorize
    this.#asked = asked
  }

  with(type: typeof authorizerType, asked: Asked): Check {
    return new Check(type, this.#authorize, { ...this.#asked, ...asked })
  }

  ask(verb: string): Decision {
    return new Decision(this.#authorize({ ...this.#asked, verb }))
  }

  equals(other: ObjectValue): boolean {
    return this === other
  }
}

class Decision extends ObjectValue {
  readonly type = decisionType
  readonly answer: AuthorizationAnswer
  constructor(answer: AuthorizationAnswer) {
    super()
    this.answer = answer
  }

  equals(other: ObjectValue): boolean {
    return this === other
  }
}

/** The value of the variable `authorizer`. */
export function authorizer(authorize: Authorize): Value {
  return new Check(authorizerType, authorize, {})
}

/** The value of the variable `authorizer.requestResource`. */
export function resourceAuthorizer(authorize: Authorize, resource: Asked): Value {
  return new Check(resourceCheckType, authorize, resource)
}

const blank = (text: string) => text.trim() === ''

function path(check: Check, path: string): Value {
  return blank(path) ? new CelError('path must not be empty') : check.with(pathCheckType, { path })
}

function resource(check: Check, resource: string): Value {
  return blank(resource) ? new CelError('resource must not be empty') : check.with(resourceCheckType, { resource })
}

function serviceAccount(check: Check, namespace: string, name: string): Value {
  if (nameIsSubdomain(name, false).length > 0) return new CelError('Invalid service account name')
  if (nameIsLabel(namespace, false).length > 0) return new CelError('Invalid service account namespace')
  return check.with(authorizerType, { serviceAccount: { namespace, name } })
}

/** The cost of parsing a selector into its requirements. */
const selectorCost: CallCost = {
  estimate: ([, selector]) => ({ cost: selectorRange(selector?.size ?? unknownSize) }),
  actual: ([, selector]) => selectorRange(fixed(actualSize(selector!))).max,
  byName: true
}

function selectorRange(size: Range): Range {
  return add(fixed(listCost), scale(size, perCharacter), scale(scale(size, 0.5), listCost + messageCost))
}

const step = { types, cost: constant(1) }
/** Two checks use up the cost limit of an expression. */
const asks = { types, cost: constant(350_000) }
const narrowed = (id: string, key: keyof Asked, options = step) => [
  overload(
    id,
    'ResourceCheck.(string) -> ResourceCheck',
    (c: Check, value: string) => c.with(resourceCheckType, { [key]: value }),
    options
  )
]
const told = (id: string, result: string, read: (answer: AuthorizationAnswer) => Value) => [
  overload(id, `Decision.() -> ${result}`, (d: Decision) => read(d.answer), step)
]

export const authorization: Library = {
  functions: {
    path: [overload('authorizer_path', 'Authorizer.(string) -> PathCheck', path, step)],
    group: [
      overload(
        'authorizer_group',
        'Authorizer.(string) -> GroupCheck',
        (c: Check, group: string) => c.with(groupCheckType, { group }),
        step
      )
    ],
    serviceAccount: [overload('authorizer_serviceaccount', 'Authorizer.(string, string) -> Authorizer', serviceAccount, step)],
    resource: [overload('groupcheck_resource', 'GroupCheck.(string) -> ResourceCheck', resource, step)],
    subresource: narrowed('resourcecheck_subresource', 'subresource'),
    namespace: narrowed('resourcecheck_namespace', 'namespace'),
    name: narrowed('resourcecheck_name', 'name'),
    fieldSelector: narrowed('authorizer_fieldselector', 'fieldSelector', { types, cost: selectorCost }),
    labelSelector: narrowed('authorizer_labelselector', 'labelSelector', { types, cost: selectorCost }),
    check: [
      overload('pathcheck_check', 'PathCheck.(string) -> Decision', (c: Check, verb: string) => c.ask(verb), asks),
      overload('resourcecheck_check', 'ResourceCheck.(string) -> Decision', (c: Check, verb: string) => c.ask(verb), asks)
    ],
    errored: told('decision_errored', 'bool', a => a.error !== undefined),
    error: told('decision_error', 'string', a => a.error ?? ''),
    allowed: told('decision_allowed', 'bool', a => a.allowed),
    reason: told('decision_reason', 'string', a => a.reason)
  }
}

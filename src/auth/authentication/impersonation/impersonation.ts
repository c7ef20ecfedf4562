/**
 * Impersonation. A request is allowed in one of several modes, the constrained ones (KEP-5284) before the classic verb. A
 * constrained mode also needs a permission to make this kind of request in that mode.
 */

import type { AuthorizationAttributes, UnionAuthorizer } from '../../../apimachinery/request/authorization.js'
import type { UserInfo } from '../../../apimachinery/request/user.js'
import { nodeOf, serviceAccountOf } from '../../../apimachinery/request/usernames.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { sortedKeys } from '../../../util/go-format.js'
import { refusalWithError } from '../../authorization/refusal.js'
import { becomeUser, type Demand } from './checks.js'
import type { WantedUser } from './headers.js'
import type { ImpersonationMetrics } from './impersonation-metrics.js'

interface Mode {
  /** The constraint of the verb; undefined for the classic verb, which has none. */
  readonly constraint?: string
  appliesTo(wanted: WantedUser, requester: UserInfo): boolean
  /** Changes the question to the authorizer. */
  readonly question?: (question: AuthorizationAttributes) => AuthorizationAttributes
}

const nodeNameKey = 'authentication.kubernetes.io/node-name'
const associatedKeys = 'authentication.kubernetes.io/associated-node-keys'

const onlyNamed = ({ uid, groups, extra }: WantedUser) => uid === '' && groups.length === 0 && extra.size === 0

/** The node to which a service account's token is bound. One permission covers all nodes on which the account may run. */
const associatedNode: Mode = {
  constraint: 'associated-node',
  appliesTo(wanted, { name, extra = {} }) {
    const nodes = Object.hasOwn(extra, nodeNameKey) ? extra[nodeNameKey]! : []
    return onlyNamed(wanted) && serviceAccountOf(name) !== undefined && nodes.length === 1 && nodeOf(wanted.name) === nodes[0]
  },
  question: question => ({
    ...question,
    user: { ...question.user, extra: { [associatedKeys]: sortedKeys(question.user.extra ?? {}) } },
    name: question.verb === 'impersonate:associated-node' ? '*' : question.name
  })
}

const modes: readonly Mode[] = [
  associatedNode,
  { constraint: 'arbitrary-node', appliesTo: wanted => onlyNamed(wanted) && nodeOf(wanted.name) !== undefined },
  { constraint: 'serviceaccount', appliesTo: wanted => onlyNamed(wanted) && serviceAccountOf(wanted.name) !== undefined },
  {
    constraint: 'user-info',
    appliesTo: ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined
  },
  { appliesTo: () => true }
]

export interface Impersonated {
  readonly user: UserInfo
  /** The verb of the permission, as audit events tell it; "" for the classic verb. */
  readonly constraint: string
}

/** How many requesters have their last allowed mode remembered. */
const remembered = 10_000

export class Impersonation {
  readonly #authorizer: Pick<UnionAuthorizer, 'authorize'>
  /**
   * The last allowed mode of each requester: it is tried first the next time, and refusals are worded for it. The least recently
   * used stands first.
   */
  readonly #lastModes = new Map<string, Mode>()

  readonly #metrics: ImpersonationMetrics

  constructor(authorizer: Pick<UnionAuthorizer, 'authorize'>, metrics: ImpersonationMetrics) {
    this.#authorizer = authorizer
    this.#metrics = metrics
  }

  /** Returns the impersonated user. Throws the 403 of the first mode that applies. */
  async become(wanted: WantedUser, request: AuthorizationAttributes): Promise<Impersonated> {
    const began = performance.now()
    try {
      const found = await this.#find(wanted, request)
      this.#metrics.attempted(modeName(found.constraint.slice('impersonate:'.length)), true, began)
      return found
    } catch (error) {
      this.#metrics.attempted('', false, began)
      throw error
    }
  }

  async #find(wanted: WantedUser, request: AuthorizationAttributes): Promise<Impersonated> {
    const requester = request.user.name
    const last = this.#lastModes.get(requester)
    let refused: StatusError | undefined
    for (const mode of last ? [last, ...modes.filter(other => other !== last)] : modes) {
      if (!mode.appliesTo(wanted, request.user)) continue
      try {
        const user = await this.#become(mode, wanted, request)
        this.#lastModes.delete(requester)
        this.#lastModes.set(requester, mode)
        if (this.#lastModes.size > remembered) this.#lastModes.delete(this.#lastModes.keys().next().value!)
        return { user, constraint: mode.constraint === undefined ? '' : `impersonate:${mode.constraint}` }
      } catch (error) {
        if (!(error instanceof StatusError)) throw error
        refused ??= error
      }
    }
    throw refused!
  }

  async #become({ constraint, question }: Mode, wanted: WantedUser, request: AuthorizationAttributes): Promise<UserInfo> {
    const demand: Demand = async asked => {
      const attributes = question?.(asked) ?? asked
      const began = performance.now()
      const decision = await this.#authorizer.authorize(attributes)
      this.#metrics.asked(modeName(constraint), decision, began)
      if (!decision.allowed) throw refusalWithError(attributes, decision)
    }
    if (constraint === undefined) return becomeUser(demand, 'impersonate', false, wanted, request.user)
    await demand({ ...request, verb: `impersonate-on:${constraint}:${request.verb}` })
    return becomeUser(demand, `impersonate:${constraint}`, true, wanted, request.user)
  }
}

const modeName = (constraint: string | undefined) => constraint || 'legacy'

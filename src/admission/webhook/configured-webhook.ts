/** One webhook of a configuration, ready to match requests. */
import type { MutatingWebhook, ValidatingWebhook } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { admissionEnvironment } from '../../apimachinery/cel/admission-environment.js'
import { MatchConditions } from '../matching/match-conditions.js'
import { RequestMatcher } from '../matching/match-resources.js'

export class ConfiguredWebhook {
  readonly configuration: string
  readonly hook: MutatingWebhook | ValidatingWebhook
  /** Identifies the webhook, also among several of the same name in one configuration. */
  readonly uid: string
  readonly matcher: RequestMatcher
  /** The webhook's place among all of its kind. */
  place = 0
  #conditions: MatchConditions | undefined

  constructor(configuration: string, hook: MutatingWebhook | ValidatingWebhook, uid: string) {
    this.configuration = configuration
    this.hook = hook
    this.uid = uid
    const { rules, matchPolicy, namespaceSelector, objectSelector } = hook
    this.matcher = new RequestMatcher({ resourceRules: rules, matchPolicy, namespaceSelector, objectSelector } as never)
  }

  /** The match conditions, compiled when they are first needed. */
  get conditions(): MatchConditions {
    const { matchConditions = [], failurePolicy } = this.hook
    this.#conditions ??= new MatchConditions(matchConditions, admissionEnvironment({ authorizer: true }), failurePolicy)
    return this.#conditions
  }

  get ignoresFailures(): boolean {
    return this.hook.failurePolicy === 'Ignore'
  }
}

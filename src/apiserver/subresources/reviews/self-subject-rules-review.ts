import type { SelfSubjectRulesReview } from '../../../apimachinery/api/generated/authorization-v1.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import type { Implementation } from '../implementation.js'

/** Lists the rules that the user of the request has in a namespace. */
export const selfSubjectRulesReview: Implementation = {
  async create({ operation: { services, user }, validateAdmission }, o: SelfSubjectRulesReview) {
    const { kind, apiVersion, spec } = o
    const { namespace = '' } = spec
    if (namespace === '') throw badRequest('no namespace on request')
    await validateAdmission(o)
    const { problem, ...rules } = services.authorizer.rulesFor(user, namespace)
    return {
      kind,
      apiVersion,
      metadata: {},
      spec: {},
      status: { ...rules, ...(problem === undefined ? {} : { evaluationError: problem }) }
    }
  }
}

import type { SelfSubjectRulesReview } from '../../api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'
import { badRequest } from '../../status/status.js'

export const selfSubjectRulesReview = defineKind<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  resource: 'selfsubjectrulesreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SelfSubjectRulesReview' }],
  virtual: {
    async create(o: SelfSubjectRulesReview, { services, user }, judge) {
      const { kind, apiVersion, spec } = o
      const { namespace = '' } = spec
      if (namespace === '') throw badRequest('no namespace on request')
      await judge(o)
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
})

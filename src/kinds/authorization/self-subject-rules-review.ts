import type { SelfSubjectRulesReview } from '../../api/generated/authorization-v1.js'
import { defineKind } from '../../registry/kind.js'
import { badRequest } from '../../server/status.js'

export const selfSubjectRulesReview = defineKind<SelfSubjectRulesReview>({
  group: 'authorization.k8s.io',
  kind: 'SelfSubjectRulesReview',
  resource: 'selfsubjectrulesreviews',
  namespaced: false,
  versions: [{ name: 'v1', type: 'authorization.v1.SelfSubjectRulesReview' }],
  virtual: {
    create({ kind, apiVersion, spec: { namespace = '' } }: SelfSubjectRulesReview, { services, user }) {
      if (namespace === '') throw badRequest('no namespace on request')
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

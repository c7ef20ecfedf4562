import type { FlowSchema } from '../../apimachinery/api/generated/flowcontrol-v1.js'
import { age } from '../../apimachinery/formats/table.js'
import { Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { nameIsSubdomain } from '../../apimachinery/validation/names.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { equalJson } from '../../util/json.js'
import { builtinColumns } from '../columns.js'
import { validateConditions } from './conditions.js'
import { validatePolicyRule } from './flow-schema-rules.js'
import { mandatoryFlowSchemas } from './mandatory.js'

const distinguishers = ['ByNamespace', 'ByUser']
const maxPrecedence = 10000

export const flowSchema = defineKind<FlowSchema>({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  resource: 'flowschemas',
  namespaced: false,
  versions: [{ name: 'v1', type: 'flowcontrol.v1.FlowSchema' }],
  table: {
    columns: builtinColumns<FlowSchema>('flowcontrol.apiserver.k8s.io/flowschemas', {
      Name: o => o.metadata.name,
      PriorityLevel: o => o.spec.priorityLevelConfiguration.name,
      MatchingPrecedence: o => o.spec.matchingPrecedence,
      DistinguisherMethod: o => o.spec.distinguisherMethod?.type ?? '<none>',
      Age: age,
      MissingPL: o => o.status.conditions?.find(c => c.type === 'Dangling')?.status ?? '?'
    })
  },
  generation: true,
  strategy: {
    default(o) {
      o.spec.matchingPrecedence ||= 1000
    },
    prepareForCreate(o) {
      o.status = {}
    },
    updateChecks: asNewThenOwnChanges,
    validate({ metadata, spec, status }, errors) {
      const at = Path.of('spec')
      const { matchingPrecedence: precedence, distinguisherMethod: method } = spec
      if (precedence <= 0) errors.invalid(at.child('matchingPrecedence'), precedence, 'must be a positive value')
      if (precedence > maxPrecedence)
        errors.invalid(at.child('matchingPrecedence'), precedence, `must not be greater than ${maxPrecedence}`)
      if (precedence === 1 && metadata.name !== 'exempt')
        errors.invalid(at.child('matchingPrecedence'), 1, "only the schema named 'exempt' may have matchingPrecedence 1")
      if (method && !distinguishers.includes(method.type)) {
        errors.notSupported(
          at.child('distinguisherMethod', 'type'),
          internalText('flowcontrol.v1.FlowDistinguisherMethod', method),
          distinguishers
        )
      }
      const level = spec.priorityLevelConfiguration.name
      if (level === '') errors.required(at.child('priorityLevelConfiguration', 'name'), 'must reference a priority level')
      else for (const e of nameIsSubdomain(level, false)) errors.invalid(at.child('priorityLevelConfiguration', 'name'), level, e)
      spec.rules?.forEach((rule, i) => void validatePolicyRule(rule, at.child('rules').index(i), errors))
      const fixed = mandatoryFlowSchemas.get(metadata.name ?? '')
      if (fixed && !equalJson(spec, fixed))
        errors.invalid(
          at,
          internalText('flowcontrol.v1.FlowSchemaSpec', spec),
          `spec of '${metadata.name}' must equal the fixed value`
        )
      validateConditions(status.conditions, errors)
    }
  },
  subresources: {
    status: {
      metadata: 'none',
      validateUpdate: ({ status }, _, errors) => validateConditions(status.conditions, errors)
    }
  }
})

import type {
  AuditAnnotation,
  TypeChecking,
  ValidatingAdmissionPolicy,
  Validation
} from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import { age } from '../../apimachinery/formats/table.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalListText } from '../../apimachinery/validation/internal-text.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'
import { asNewThenOwnChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { auditValue, condition, type ExpressionValidator, messageText } from './expressions.js'
import { jsonPathProblem } from './json-path-problem.js'
import { validateParamKindAccess } from './param-access.js'
import { defaultPolicy, shownParamKind, validatePolicy } from './policy.js'
import { staticNames } from './static-names.js'

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const maxAuditAnnotations = 20
const maxValueExpressionBytes = 5 * 1024

export const validatingAdmissionPolicy = defineKind<ValidatingAdmissionPolicy>({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  resource: 'validatingadmissionpolicies',
  categories: ['api-extensions'],
  namespaced: false,
  versions: [{ name: 'v1', type: 'admissionregistration.v1.ValidatingAdmissionPolicy' }],
  table: {
    columns: builtinColumns<ValidatingAdmissionPolicy>('admissionregistration.k8s.io/validatingadmissionpolicies', {
      Name: o => o.metadata.name,
      Validations: o => o.spec.validations?.length ?? 0,
      ParamKind: shownParamKind,
      Age: age
    })
  },
  generation: true,
  strategy: {
    ...staticNames,
    allowUnconditionalUpdate: false,
    default: o => defaultPolicy(o.spec),
    prepareForCreate(o) {
      o.status = {}
    },
    updateChecks: asNewThenOwnChanges,
    validate({ spec, metadata }, errors, _context, old) {
      const at = Path.of('spec')
      const expressions = validatePolicy(spec, at, errors, new NewExpressions(errors.minCompatibility, old && expressionsOf(old)))
      if (!spec.validations?.length && !spec.auditAnnotations?.length) {
        for (const field of ['validations', 'auditAnnotations'])
          errors.required(at.child(field), 'validations or auditAnnotations must contain at least one item')
        return
      }
      spec.validations?.forEach((validation, i) => {
        validateValidation(validation, expressions, at.child('validations').index(i), errors)
      })
      const annotations = spec.auditAnnotations ?? []
      validateAuditAnnotations(annotations, metadata.name ?? '', expressions, at.child('auditAnnotations'), errors)
    },
    validateAccess: validateParamKindAccess
  },
  subresources: {
    status: {
      metadata: 'reset',
      creates: 'apply',
      updateChecks: ['validateUpdate'],
      validateUpdate({ status }, _, errors) {
        const at = Path.of('status')
        validateTypeChecking(status.typeChecking, at.child('typeChecking', 'expressionWarnings'), errors)
        validateConditions(status.conditions ?? [], at.child('conditions'), errors)
      }
    }
  }
})

function* expressionsOf({ spec }: ValidatingAdmissionPolicy): Generator<string | undefined> {
  for (const { expression } of [...(spec.matchConditions ?? []), ...(spec.variables ?? [])]) yield expression
  for (const { expression, messageExpression } of spec.validations ?? []) yield* [expression, messageExpression]
  for (const { valueExpression } of spec.auditAnnotations ?? []) yield valueExpression
}

function validateTypeChecking(checking: TypeChecking | undefined, path: Path, errors: FieldErrors): void {
  checking?.expressionWarnings?.forEach(({ warning, fieldRef }, i) => {
    if (warning === '') errors.required(path.index(i).child('warning'))
    const at = path.index(i).child('fieldRef')
    const trimmed = fieldRef.trim()
    if (trimmed === '') {
      errors.required(at)
      return
    }
    const problem = jsonPathProblem(`{${trimmed}}`)
    if (problem !== undefined) errors.invalid(at, trimmed, `invalid JSONPath: ${problem}`)
  })
}

function validateValidation(
  { expression, message = '', messageExpression = '', reason }: Validation,
  expressions: ExpressionValidator,
  at: Path,
  errors: FieldErrors
): void {
  if (expression.trim() === '') errors.required(at.child('expression'), 'expression is not specified')
  else expressions.validate(expression, condition, at.child('expression'), errors)
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.invalid(at.child('messageExpression'), messageExpression, 'must be non-empty if specified')
  else if (messageExpression !== '') expressions.validate(messageExpression, messageText, at.child('messageExpression'), errors)
  if (message !== '' && message.trim() === '') errors.invalid(at.child('message'), message, 'must be non-empty if specified')
  else if (/[\n\r]/.test(message.trim())) errors.invalid(at.child('message'), message, 'must not contain line breaks')
  if (reason !== undefined && !reasons.includes(reason)) errors.notSupported(at.child('reason'), reason, reasons)
}

function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  policy: string,
  expressions: ExpressionValidator,
  path: Path,
  errors: FieldErrors
): void {
  if (annotations.length > maxAuditAnnotations)
    errors.invalid(
      path,
      internalListText('admissionregistration.v1.AuditAnnotation', annotations),
      `must not have more than ${maxAuditAnnotations} auditAnnotations`
    )
  const keys = new Set<string>()
  annotations.forEach(({ key, valueExpression }, i) => {
    const at = path.index(i)
    // in the audit log the key follows the policy's name
    const full = `${policy}/${key}`
    if (policy === '') errors.invalid(at.child('key'), key, 'requires metadata.name be non-empty')
    else for (const e of isQualifiedName(full)) errors.invalid(at.child('key'), full, e)
    const value = valueExpression.trim()
    if (value === '') errors.required(at.child('valueExpression'), 'valueExpression is not specified')
    else if (Buffer.byteLength(value) > maxValueExpressionBytes)
      errors.required(at.child('valueExpression'), `must not exceed ${maxValueExpressionBytes} bytes in length`)
    else expressions.validate(value, auditValue, at.child('valueExpression'), errors, valueExpression)
    if (keys.has(key)) errors.duplicate(at.child('key'), key)
    keys.add(key)
  })
}

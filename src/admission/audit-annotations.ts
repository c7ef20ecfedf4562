/** What admission adds to the audit event of a request. */
import { AuditLevel, type RequestRecord } from '../apimachinery/request/record.js'
import { isQualifiedName } from '../apimachinery/validation/names.js'
import { writeJson } from '../util/sorted-json.js'

/** Adds an annotation whose key a webhook or policy chose. As in kube-apiserver, a key that is no `domain/name` is dropped. */
export function annotate(record: RequestRecord | undefined, key: string, value: string): void {
  if (record && key.split('/').length === 2 && isQualifiedName(key).length === 0) record.annotate(key, value)
}

/** Writes a struct as Go's JSON encoder does: with this order of fields, and escaped for HTML. */
const goJson = (struct: object) => writeJson(struct, object => object !== struct && !Array.isArray(object))

const mutationPrefix = 'mutation.webhook.admission.k8s.io/'
const patchPrefix = 'patch.webhook.admission.k8s.io/'
const validatingPrefix = 'validating.webhook.admission.k8s.io/'

/**
 * A call of a mutating webhook: `round` is 1 when the plugins run for the second time, `index` is its place among all mutating
 * webhooks.
 */
export interface MutatingCall {
  readonly configuration: string
  readonly webhook: string
  readonly round: 0 | 1
  readonly index: number
}

const placeOf = ({ round, index }: Pick<MutatingCall, 'round' | 'index'>) => `round_${round}_index_${index}`

export function annotateMutation(record: RequestRecord | undefined, call: MutatingCall, mutated: boolean): void {
  const { configuration, webhook } = call
  record?.annotate(mutationPrefix + placeOf(call), goJson({ configuration, webhook, mutated }))
}

/** Adds what a mutating webhook's patch changed. The patch may contain what the level Metadata must not show. */
export function annotatePatch(record: RequestRecord | undefined, call: MutatingCall, patch: unknown): void {
  if (!record || record.auditLevel < AuditLevel.Request) return
  const { configuration, webhook } = call
  record.annotate(patchPrefix + placeOf(call), goJson({ configuration, webhook, patch, patchType: 'JSONPatch' }))
}

/** Notes that a webhook could not be called, and that its failurePolicy let the request pass. */
export function annotateFailedOpen(
  record: RequestRecord | undefined,
  call: MutatingCall | { readonly webhook: string; readonly index: number }
): void {
  const prefix = 'round' in call ? mutationPrefix : validatingPrefix
  record?.annotate(`failed-open.${prefix}${placeOf({ round: 0, ...call })}`, call.webhook)
}

export interface ValidationFailure {
  readonly message: string
  readonly policy: string
  readonly binding: string
  readonly expressionIndex: number
  readonly validationActions: readonly string[]
}

/** How many failed validations an audit event shows. */
const shownFailures = 50

/** Notes the validations that failed, of policies whose bindings have the action Audit. */
export function annotateValidationFailures(record: RequestRecord | undefined, failures: readonly ValidationFailure[]): void {
  if (!record || failures.length === 0) return
  const ordered = failures
    .slice(0, shownFailures)
    .map(({ message, policy, binding, expressionIndex, validationActions }) =>
      goJson({ message, policy, binding, expressionIndex, validationActions })
    )
  record.annotate('validation.policy.admission.k8s.io/validation_failure', `[${ordered.join(',')}]`)
}

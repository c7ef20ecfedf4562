/**
 * The status of an Eviction. Its controller says whose turn it is (targetResponders), and each responder reports how far it is (responders):
 * a status is valid only if the controller and well-behaved responders could have made it of the old one.
 */
import type { EvictionStatus, ResponderStatus, TargetResponder } from '../../apimachinery/api/generated/lifecycle-v1alpha1.js'
import type { Condition } from '../../apimachinery/api/generated/meta-v1.js'
import { inFieldOrder } from '../../apimachinery/schema/field-order.js'
import { loadSchema } from '../../apimachinery/schema/load.js'
import { validateConditions } from '../../apimachinery/validation/conditions.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalListText } from '../../apimachinery/validation/internal-text.js'
import { validateReports } from './responder-reports.js'
import { turnsOf, validateTurn } from './turns.js'

const path = Path.of('status')
const finalConditions = ['TargetEvicted', 'Failed']
/** The responders of a Pod and that of Kubernetes. */
const maxResponders = 11

export function validateEvictionStatus(status: EvictionStatus, old: EvictionStatus, now: number, errors: FieldErrors): void {
  const conditions = status.conditions ?? []
  validateConditions(conditions, path.child('conditions'), errors)
  const isFinal = validateFinalConditions(conditions, old.conditions ?? [], errors)
  validateTargets(status, old, isFinal, now, errors)
  validateReportsOf(status, old, now, errors)
}

/** Returns whether the Eviction is over, which cannot be taken back. */
function validateFinalConditions(conditions: readonly Condition[], old: readonly Condition[], errors: FieldErrors): boolean {
  const find = (wanted: string) => conditions.find(({ type }) => type === wanted)
  let isFinal = finalConditions.some(type => find(type)?.status === 'True')
  for (const { type, status, reason } of old) {
    if (!finalConditions.includes(type) || status !== 'True') continue
    const found = find(type)
    if (found && found.status !== 'False' && found.reason === reason) continue
    const item = loadSchema().type('meta.v1.Condition')
    const shown = conditions.map(condition => inFieldOrder(item, condition))
    errors.invalid(path.child('conditions'), shown, `${type} condition status cannot be reverted`)
    isFinal = true
  }
  return isFinal
}

function validateTargets(status: EvictionStatus, old: EvictionStatus, isFinal: boolean, now: number, errors: FieldErrors): void {
  const at = path.child('targetResponders')
  const [targets, before] = [status.targetResponders ?? [], old.targetResponders ?? []]
  const refuse = (why: string) => errors.invalid(at, internalListText('lifecycle.v1alpha1.TargetResponder', targets), why)
  const names = namesOf(targets)
  if (before.length > 0) {
    if (targets.length !== before.length) return refuse('must preserve the same length and the same keys')
    if (before.some(({ name }) => !names.has(name))) return refuse('must preserve the same keys')
  }
  // declared rules refuse these
  if (targets.length > maxResponders || names.size < targets.length) return
  const reports = new Map(status.responders?.map(report => [report.name, report]))
  for (const turn of turnsOf(targets, before, isFinal))
    validateTurn(turn, reports.get(turn.target.name), at.index(targets.indexOf(turn.target)), isFinal, now, errors)
}

function validateReportsOf(
  { responders, targetResponders }: EvictionStatus,
  old: EvictionStatus,
  now: number,
  errors: FieldErrors
): void {
  const at = path.child('responders')
  const [reports, targets] = [responders ?? [], targetResponders ?? []]
  const shown = responders ? internalListText('lifecycle.v1alpha1.ResponderStatus', responders) : null
  const refuse = (why: string) => errors.invalid(at, shown, why)
  const names = namesOf(reports)
  if (targets.length !== reports.length)
    return refuse('must be the same length as status.targetResponders and contain the same keys')
  if (targets.some(({ name }) => !names.has(name))) return refuse('must contain the same keys as status.targetResponders')
  if (reports.length > maxResponders || names.size < reports.length) return
  validateReports(reports, old.responders ?? [], new Map(targets.map(({ name, state }) => [name, state])), at, now, errors)
}

const namesOf = (responders: readonly (TargetResponder | ResponderStatus)[]) => new Set(responders.map(({ name }) => name))

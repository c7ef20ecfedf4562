/** The stage of the chain in which rules make requests fail. */
import { ClientGoneError, type RequestContext } from '../../apimachinery/request/context.js'
import { type Subject, subjectOf } from '../../apimachinery/request/fault-subject.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Handle, Stage } from '../../apimachinery/request/stage.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { ActiveFault } from './active-fault.js'
import { cutAnswer } from './cut.js'
import type { ServerFaults } from './faults.js'
import { nameInBody } from './name-in-body.js'
import type { FaultRule } from './rule.js'
import { statusOfCode } from './status-of-code.js'

/**
 * The stage stands below authentication, because rules name users, and above flow control, because a delayed request should take
 * no seat.
 */
export const faultStage = (faults: ServerFaults): Stage => ({
  name: 'faults',
  why: 'lets requests fail as the rules of a test say; does nothing while there is no rule',
  handle: (context, next) => (faults.requests.length === 0 ? next(context) : withFaults(faults, context, next))
})

async function withFaults(faults: ServerFaults, context: RequestContext, next: Handle): Promise<Response> {
  const rules = faults.requests
  const subject = await subjectFor(context, rules)
  const cuts: ActiveFault[] = []
  for (const fault of rules) {
    if (!fault.takes(subject)) continue
    const { delay, status, reset, cutAfter } = fault.rule
    if (cutAfter !== undefined) cuts.push(fault)
    else fault.hit(subject, actionOf(fault.rule))
    if (delay) {
      await faults.sleep(delay, context.signal)
      context.throwIfAborted()
    }
    if (status !== undefined) {
      for (const cut of cuts) cut.release()
      throw errorOf(status, subject)
    }
    if (reset) {
      for (const cut of cuts) cut.release()
      await resetConnection(context)
    }
  }
  const response = await next(context)
  const [first, ...others] = cuts
  for (const cut of others) cut.release()
  if (!first) return response
  const struck = () => {
    first.hit(subject, actionOf(first.rule))
    context.request.reset()
  }
  const cut = cutAnswer(response, first.rule.cutAfter!, struck, () => first.release())
  if (!cut) first.release()
  return cut ?? response
}

/** Describes a request to the rules. The name in a create's body is read only when a rule or an error needs it. */
async function subjectFor(context: RequestContext, rules: readonly ActiveFault[]): Promise<Subject> {
  const subject = subjectOf(context)
  if (subject.verb !== 'create' || subject.resource === '' || subject.name !== '') return subject
  const needsName = ({ rule: { name, status } }: ActiveFault) => name !== undefined || typeof status === 'number'
  const concerned = rules.some(fault => needsName(fault) && fault.matches({ ...subject, name: fault.rule.name ?? '' }))
  return concerned ? { ...subject, name: await nameInBody(context) } : subject
}

function actionOf({ delay, status, reset, cutAfter }: FaultRule): string {
  const parts: string[] = []
  if (delay !== undefined) parts.push(`delay ${delay} ms`)
  if (status !== undefined) parts.push(`status ${typeof status === 'number' ? status : status.code}`)
  if (reset) parts.push('reset')
  if (cutAfter !== undefined) parts.push(`cut after ${cutAfter} bytes`)
  return parts.join(', ')
}

function errorOf(status: NonNullable<FaultRule['status']>, subject: Subject): StatusError {
  if (typeof status === 'number') return statusOfCode(status, subject)
  if (status instanceof StatusError) return status
  return new StatusError({ ...status, kind: 'Status', apiVersion: 'v1', metadata: status.metadata ?? {}, status: 'Failure' })
}

/** Rejects when the connection is gone: an answer before that would still be sent. */
async function resetConnection({ request }: RequestContext): Promise<never> {
  await new Promise<void>(resolve => {
    request.onClose(resolve)
    request.reset()
  })
  throw new ClientGoneError()
}

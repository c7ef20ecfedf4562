/**
 * The chain in kube-apiserver's order: each stage is around all that come after it. docs/lifecycle.md draws the same with the status
 * codes that leave at each stage. Admission is no stage: it happens inside a write (registry/write/).
 */
import type { Handle, Stage } from '../request/stage.js'
import type { Logger } from '../util/logger.js'
import { compressionStage } from './compression.js'
import { deadlineStage } from './deadline.js'
import { errorsStage } from './errors.js'
import { requestInfoStage } from './request-info.js'

/** The stages of audit; each but the last has a stage for errors below it, and so sees an answer whatever happens. */
export interface AuditStages {
  /** Sees requests that are refused before their user is known. */
  readonly refusals: Stage
  /** Knows the user, and sees what becomes of the request. */
  readonly stage: Stage
  /** Sees answers before they are compressed. */
  readonly answers: Stage
}

export interface ChainParts {
  readonly metrics: Stage
  /** Undefined when no lines about requests are wanted. */
  readonly requestLog: Stage | undefined
  /** Undefined when no other origins are allowed. */
  readonly cors: Stage | undefined
  /** Undefined when nothing is audited. */
  readonly audit: AuditStages | undefined
  readonly authentication: Stage
  readonly impersonation: Stage
  readonly authorization: Stage
  /** Finds the endpoint for a request, and answers. */
  readonly dispatch: Handle
  readonly flowControl: Stage
  /** Milliseconds that a request may take. */
  readonly requestTimeout: number
  readonly log: Logger
}

export function handlerChain(parts: ChainParts): readonly Stage[] {
  const { audit } = parts
  const errors = errorsStage(parts.log)
  return [
    parts.metrics,
    ...(parts.requestLog ? [parts.requestLog] : []),
    ...(parts.cors ? [parts.cors] : []),
    errors,
    requestInfoStage,
    ...(audit ? [audit.refusals, errors] : []),
    deadlineStage(parts.requestTimeout),
    parts.authentication,
    ...(audit ? [audit.stage, errors] : []),
    parts.impersonation,
    parts.flowControl,
    parts.authorization,
    compressionStage,
    ...(audit ? [audit.answers] : []),
    { name: 'dispatch', why: 'finds the endpoint for verb and resource, or for a path, and answers', handle: parts.dispatch }
  ]
}

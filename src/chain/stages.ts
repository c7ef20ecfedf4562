/**
 * The chain in kube-apiserver's order: each stage is around all that come after it. docs/lifecycle.md draws the same with the status
 * codes that leave at each stage. Admission is no stage: it happens inside a write (registry/write/).
 */
import type { Handle, Stage } from '../request/stage.js'
import type { Logger } from '../util/logger.js'
import { compressionStage } from './compression.js'
import { deadlineStage } from './deadline.js'
import { errorsStage } from './errors.js'
import { type InFlightLimits, inFlightStage } from './in-flight.js'
import { requestInfoStage } from './request-info.js'

export interface ChainParts {
  readonly metrics: Stage
  readonly authentication: Stage
  readonly impersonation: Stage
  readonly authorization: Stage
  /** Finds the endpoint for a request, and answers. */
  readonly dispatch: Handle
  readonly inFlight: InFlightLimits
  /** Milliseconds that a request may take. */
  readonly requestTimeout: number
  readonly log: Logger
}

export function handlerChain(parts: ChainParts): readonly Stage[] {
  return [
    parts.metrics,
    errorsStage(parts.log),
    requestInfoStage,
    deadlineStage(parts.requestTimeout),
    parts.authentication,
    // audit's place, with a stage for errors below it: it knows the sender, and sees what becomes of the request
    parts.impersonation,
    inFlightStage(parts.inFlight),
    parts.authorization,
    compressionStage,
    { name: 'dispatch', why: 'finds the endpoint for verb and resource, or for a path, and answers', handle: parts.dispatch }
  ]
}

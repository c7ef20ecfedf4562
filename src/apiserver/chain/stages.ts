/**
 * The chain in kube-apiserver's order: each stage is around all that come after it. docs/lifecycle.md draws the same with the status
 * codes that leave at each stage. Admission is no stage: it happens inside a write (registry/write/).
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Handle, Stage } from '../../apimachinery/request/stage.js'
import type { Distribution } from '../../util/instruments/series.js'
import type { Logger } from '../../util/logger.js'
import { compressionStage } from './compression.js'
import { deadlineStage } from './deadline.js'
import { errorsStage } from './errors.js'
import { type Filter, filterEnd } from './filter-times.js'
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
  /** Times of the stages. */
  readonly filterTimes: (filter: Filter) => Distribution
  readonly drain: Stage
  /** Undefined when no requests are recorded. */
  readonly recorder?: Stage | undefined
  /** Undefined when no lines about requests are wanted. */
  readonly requestLog: Stage | undefined
  /** Undefined when no other origins are allowed. */
  readonly cors: Stage | undefined
  /** Undefined when nothing is audited. */
  readonly audit: AuditStages | undefined
  /** Undefined for a server without a console. */
  readonly console?: Stage | undefined
  readonly authentication: Stage
  /** Undefined when nothing is traced. */
  readonly tracing: Stage | undefined
  readonly impersonation: Stage
  /** How its time is called; `constrainedimpersonation` when left out. */
  readonly impersonationFilter?: 'impersonation' | 'constrainedimpersonation'
  readonly authorization: Stage
  /** Undefined when nothing can be made to fail. */
  readonly faults?: Stage | undefined
  /** Undefined when writes need not wait for StorageVersions. */
  readonly storageVersions?: Stage | undefined
  /** Undefined for a server that passes nothing on to other API servers over the same store. */
  readonly peers?: Stage | undefined
  /** Finds the endpoint for a request, and answers. */
  readonly dispatch: Handle
  readonly flowControl: Stage
  /** Milliseconds that a request may take. */
  readonly requestTimeout: number
  /** Whether large answers are compressed. */
  readonly compresses: boolean
  /** Called when the work for a request that was too late comes to its end. */
  readonly lateWorkEnded?: ((how: 'ok' | 'error') => void) | undefined
  readonly log: Logger
}

export function handlerChain(parts: ChainParts): readonly Stage[] {
  const { audit, filterTimes } = parts
  const end = (filter: Filter, tookTime: (context: RequestContext) => boolean) => filterEnd(filter, filterTimes(filter), tookTime)
  const errors = errorsStage(parts.log)
  return [
    parts.metrics,
    ...(parts.recorder ? [parts.recorder] : []),
    ...(parts.requestLog ? [parts.requestLog] : []),
    ...(parts.cors ? [parts.cors] : []),
    errors,
    requestInfoStage,
    parts.drain,
    ...(audit ? [audit.refusals, errors] : []),
    deadlineStage(parts.requestTimeout, parts.lateWorkEnded),
    ...(parts.console ? [parts.console] : []),
    parts.authentication,
    ...(parts.tracing ? [parts.tracing] : []),
    ...(audit ? [audit.stage, errors, end('audit', () => true)] : []),
    parts.impersonation,
    end(parts.impersonationFilter ?? 'constrainedimpersonation', ({ record }) => record.impersonated !== undefined),
    ...(parts.faults ? [parts.faults] : []),
    parts.flowControl,
    end('priorityandfairness', ({ record }) => record.milliseconds.has('apf-queue-wait')),
    parts.authorization,
    ...(parts.storageVersions ? [parts.storageVersions] : []),
    ...(parts.compresses ? [compressionStage] : []),
    ...(audit ? [audit.answers] : []),
    ...(parts.peers ? [parts.peers] : []),
    { name: 'dispatch', why: 'finds the endpoint for verb and resource, or for a path, and answers', handle: parts.dispatch }
  ]
}

/** The stages that each object of a set passes, as the set itself has passed the others. */
export function objectStages(parts: Pick<ChainParts, 'audit' | 'authorization' | 'storageVersions' | 'log'>): readonly Stage[] {
  const { audit, authorization, storageVersions, log } = parts
  return [
    requestInfoStage,
    ...(audit ? [audit.stage] : []),
    errorsStage(log),
    authorization,
    ...(storageVersions ? [storageVersions] : []),
    ...(audit ? [audit.answers] : [])
  ]
}

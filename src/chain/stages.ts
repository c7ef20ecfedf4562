/**
 * What happens to a request, in this order. Each stage answers the request or lets it pass; the last one always answers.
 * docs/lifecycle.md draws the same with the status codes that leave at each stage.
 */
import type { RequestContext, Response } from '../request/context.js'

export interface Stage {
  readonly name: string
  readonly why: string
  handle(context: RequestContext): Response | undefined | Promise<Response | undefined>
}

export interface Stages {
  readonly metrics: Stage
  readonly authentication: Stage
  readonly audit: Stage
  readonly impersonation: Stage
  readonly flowControl: Stage
  readonly authorization: Stage
  readonly endpoints: Stage
}

/** The chain in kube-apiserver's order. Admission is no stage: it happens inside a write (registry/create.ts, update.ts, delete.ts). */
export function handlerChain(stages: Stages): readonly Stage[] {
  return [
    stages.metrics,
    stages.authentication,
    stages.audit,
    stages.impersonation,
    stages.flowControl,
    stages.authorization,
    stages.endpoints
  ]
}

/** A place in the chain that a later part of Binnacle takes. */
export const passThrough = (name: string, why: string): Stage => ({ name, why, handle: () => undefined })

/** A stage of the handler chain, which wraps all stages after it. */
import type { RequestContext } from './context.js'
import type { Response } from './message.js'

/** Answers a request. Throws, or rejects with, a StatusError where the answer is a failure. */
export type Handle = (context: RequestContext) => Response | Promise<Response>

export interface Stage {
  readonly name: string
  readonly why: string
  /**
   * Answers the request itself or by `next`. What it does before and after that, and in `context.onInitialized` and
   * `context.onEnd`, is around everything below it.
   */
  handle(context: RequestContext, next: Handle): Response | Promise<Response>
}

/** The stages as one handler, the first outermost. The last one must not call `next`. */
export function chained(stages: readonly Stage[]): Handle {
  const nothing: Handle = () => {
    throw new Error('no stage of the chain answered')
  }
  return stages.reduceRight<Handle>((next, stage) => context => stage.handle(context, next), nothing)
}

/**
 * Times how long requests take in single stages of the chain, without what comes after them, for /metrics. Authentication and
 * authorization time themselves. A stage begins when the one before it has ended: `RequestContext.enteredAt`.
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import type { Distribution } from '../../util/instruments/series.js'

/** The stages that are timed, as kube-apiserver calls them. */
export type Filter =
  | 'authentication'
  | 'audit'
  | 'impersonation'
  | 'constrainedimpersonation'
  | 'priorityandfairness'
  | 'authorization'

/**
 * Stands after a timed stage. `tookTime` tells whether the stage did anything: looking at the clock would cost more than a stage that
 * did nothing.
 */
export function filterEnd(filter: Filter, times: Distribution, tookTime: (context: RequestContext) => boolean): Stage {
  return {
    name: `time of ${filter}`,
    why: 'notes how long the stage before it took',
    handle(context, next) {
      if (tookTime(context)) {
        const now = performance.now()
        times.observe((now - context.enteredAt) / 1000)
        context.enteredAt = now
      } else times.observe(0)
      return next(context)
    }
  }
}

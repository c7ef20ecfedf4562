/** Times how long requests take in single stages of the chain, without what comes after them, for /metrics. */
import type { Distribution } from '../instruments/series.js'
import type { Stage } from '../request/stage.js'

/** The stages that are timed, as kube-apiserver calls them. */
export type Filter = 'authentication' | 'audit' | 'constrainedimpersonation' | 'priorityandfairness' | 'authorization'

export interface FilterTimes {
  /** Stands before the first timed stage. */
  readonly begin: Stage
  /** Stands after a timed stage; the next one begins there. */
  end(filter: Filter): Stage
}

export function filterTimes(timesOf: (filter: Filter) => Distribution): FilterTimes {
  return {
    begin: {
      name: 'first timed stage',
      why: 'notes when the request came',
      handle(context, next) {
        context.enteredAt = performance.now()
        return next(context)
      }
    },
    end(filter) {
      const times = timesOf(filter)
      return {
        name: `time of ${filter}`,
        why: 'notes how long the stage before it took',
        handle(context, next) {
          const now = performance.now()
          times.observe((now - context.enteredAt) / 1000)
          context.enteredAt = now
          return next(context)
        }
      }
    }
  }
}

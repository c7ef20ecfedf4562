import type { RequestContext } from '../../apimachinery/request/context.js'
import { DeadlineExceededError, timeLimit } from '../../apimachinery/request/deadline.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'

/** Milliseconds in which no request is answered: a client that gives less gets the 504 that kube-apiserver would give. */
const quickest = 0.05

/**
 * `requestTimeout`: milliseconds that a request may take (--request-timeout). `ended` is called when the work for a request that was
 * too late comes to its end.
 */
export function deadlineStage(requestTimeout: number, ended: (how: 'ok' | 'error') => void = () => {}): Stage {
  return {
    name: 'deadline',
    why: 'ends a request that takes too long (504), and all work for it',
    handle(context, next) {
      const limit = timeLimit(context, requestTimeout)
      context.timeLimit = limit
      if (limit < quickest) throw new DeadlineExceededError()
      const work = next(context)
      return work instanceof Promise && Number.isFinite(limit) ? within(context, work, limit, ended) : work
    }
  }
}

function within(
  context: RequestContext,
  work: Promise<Response>,
  milliseconds: number,
  ended: (how: 'ok' | 'error') => void
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      const error = new DeadlineExceededError()
      context.abort(error)
      reject(error)
    }, milliseconds)
    work.then(
      response => {
        // what another server sends counts as well: it may never end
        if (response.isPassedOn && response.stream) context.onEnd(() => clearTimeout(timer))
        else clearTimeout(timer)
        if (isLate) ended('ok')
        resolve(response)
      },
      error => {
        clearTimeout(timer)
        if (isLate) ended('error')
        reject(error)
      }
    )
  })
}

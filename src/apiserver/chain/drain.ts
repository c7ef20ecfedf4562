/** What happens to requests while the server stops: new ones may be refused, and those under way are waited for. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import { isLongRunning } from '../../apimachinery/request/deadline.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { respondText } from '../endpoints/respond.js'

/** Probes and scrapes are answered to the end, and so are requests of the server itself. */
const exemptPaths = ['/readyz', '/livez', '/healthz', '/metrics']
const ownAgent = 'kube-apiserver/'
const retryAfterSeconds = '5'

export class Drain {
  #refuses = false
  #requests = 0
  #watches = 0
  #listeners: (() => void)[] = []

  get watches(): number {
    return this.#watches
  }

  /** From now on new requests are answered with 429, so that their clients go to another server. */
  refuse(): void {
    this.#refuses = true
  }

  /** Resolves when no request is under way, but for those that go on for long. */
  requestsEnded(): Promise<void> {
    return this.#until(() => this.#requests === 0)
  }

  watchesEnded(): Promise<void> {
    return this.#until(() => this.#watches === 0)
  }

  #until(isOver: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (isOver()) resolve()
        else this.#listeners.push(look)
      }
      look()
    })
  }

  get stage(): Stage {
    return {
      name: 'drain',
      why: 'counts the requests under way; refuses new ones when the server stops (429)',
      handle: (context, next) => {
        if (isExempt(context)) return next(context)
        if (this.#refuses) return refused()
        if (context.info.verb === 'watch') this.#count(context, '#watches')
        else if (!isLongRunning(context)) this.#count(context, '#requests')
        return next(context)
      }
    }
  }

  #count(context: RequestContext, what: '#watches' | '#requests'): void {
    const add = (change: 1 | -1) => {
      if (what === '#watches') this.#watches += change
      else this.#requests += change
    }
    add(1)
    context.onEnd(() => {
      add(-1)
      for (const listener of this.#listeners.splice(0)) listener()
    })
  }
}

const isExempt = (context: RequestContext): boolean =>
  exemptPaths.some(path => context.path.startsWith(path)) || !!context.header('user-agent')?.startsWith(ownAgent)

function refused(): Response {
  const response = respondText('The apiserver is shutting down, please try again later.\n', 429)
  response.headers['retry-after'] = retryAfterSeconds
  response.headers.connection = 'close'
  return response
}

/** The reason with which watches are ended: each at some time within `spreadMs`, so that not all clients come back at once. */
export class WatchesEnd extends Error {
  readonly spreadMs: number
  constructor(spreadMs: number) {
    super('the server is stopping')
    this.spreadMs = spreadMs
  }
}

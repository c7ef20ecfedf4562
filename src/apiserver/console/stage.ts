/** The console in the chain of an API server. */
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { answerConsole, type ConsoleParts } from './answer.js'
import { isConsolePath } from './console-path.js'
import { sandboxed } from './headers.js'
import { isLoopback } from './origin.js'

/** Whom the console is shown to. */
export type ConsoleAccess = 'loopback' | 'always'

/**
 * Answers what is below /console/ before anybody is authenticated; to those who may not see it, the server is as one without it. Answers of other
 * servers that it passes on to a browser must not act in the console's origin.
 */
export function consoleStage(access: ConsoleAccess, parts: ConsoleParts): Stage {
  const isShown = ({ request }: RequestContext) => access === 'always' || isLoopback(request.remoteAddress)
  return {
    name: 'console',
    why: 'answers for the console, with the option console',
    handle(context, next) {
      if (isConsolePath(context.path) && isShown(context)) return answerConsole(context, parts)
      // programs do not send it, and get what kube-apiserver sends
      if (context.header('sec-fetch-mode') === undefined || !isShown(context)) return next(context)
      const response = next(context)
      return response instanceof Promise ? response.then(confined) : confined(response)
    }
  }
}

const confined = (response: Response): Response =>
  response.isPassedOn && response.status !== 101 ? sandboxed(response) : response

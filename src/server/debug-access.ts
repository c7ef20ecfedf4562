/** Serves profiles and the log's verbosity: to users, and with --debug-socket-path to whoever may open the socket. */
import { errorsStage } from '../apiserver/chain/errors.js'
import { createHandler } from '../apiserver/chain/handler.js'
import { requestInfoStage } from '../apiserver/chain/request-info.js'
import { profilePaths } from '../apiserver/debug/profiles.js'
import { verbosityPaths } from '../apiserver/debug/verbosity.js'
import { createDispatch, type PathHandler } from '../apiserver/endpoints/dispatch.js'
import { debugSocket } from '../apiserver/http/debug-socket.js'
import type { Clock } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'
import { systemRandomness } from '../util/randomness.js'

/** The paths of the profiles for pprof and of the log's verbosity. */
export const debugPaths = (log: Logger): PathHandler[] => [...profilePaths, ...verbosityPaths(log)]

/** Serves these paths on a socket of their own. */
export function debugAccess(path: string, clock: Clock, log: Logger): Part {
  const handle = createDispatch({ backends: [], paths: debugPaths(log), store: { currentRevision: () => 0 } })
  const stages = [errorsStage(log), requestInfoStage, { name: 'dispatch', why: 'answers for a path', handle }]
  return debugSocket(path, createHandler(stages, { now: () => clock.now(), uuid: () => systemRandomness.uuid() }))
}

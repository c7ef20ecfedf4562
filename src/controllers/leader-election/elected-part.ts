import { type ElectionTimes, LeaderElection, type Lock } from '../../client/leader-election/leader-election.js'
import type { Services } from '../../registry/services.js'
import type { Logger } from '../../util/logger.js'
import type { Part, RunningParts } from '../../util/part.js'

/** Runs the parts that `lead` starts in one server at a time: the one that holds the Lease. */
export function leaderElection(
  { clock, random, hostName }: Services,
  lock: Lock,
  times: ElectionTimes,
  log: Logger,
  lead: () => Promise<RunningParts>
): Part {
  return new LeaderElection({ lock, identity: `${hostName}_${random.uuid()}`, times, clock, log, lead })
}

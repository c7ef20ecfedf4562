import { consolePath } from '../../apiserver/console/console-path.js'
import { consoleFolder, howToInstall } from '../../apiserver/console/folder.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import { UserError } from '../../util/user-error.js'

interface Reader {
  /** Whether a person reads it. A link that signs in is for them alone: a log would keep it for others. */
  readonly isTerminal: boolean
  /** Finds the front end; where it is missing, people are told how to install it. */
  readonly folder?: () => Promise<string | undefined>
}

/** Returns the line by which `binnacle serve` tells where the console is, or "". */
export async function greetingLine(
  server: Pick<BinnacleServer, 'consoleLink' | 'url'>,
  { console: access }: Pick<ServerOptions, 'console'>,
  { isTerminal, folder = consoleFolder }: Reader
): Promise<string> {
  if (access === 'never') return ''
  if ((await folder()) === undefined) return isTerminal ? `Console: not installed (${howToInstall})\n` : ''
  if (isTerminal)
    try {
      return `Console, signs in once within 10 minutes: ${await server.consoleLink()}\n`
    } catch (error) {
      if (!(error instanceof UserError)) throw error
    }
  return `Console: ${server.url}${consolePath} ("binnacle console" signs in)\n`
}

/** Makes the console of a server (docs/console.md). */
import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Stage } from '../apimachinery/request/stage.js'
import type { UserInfo } from '../apimachinery/request/user.js'
import { consolePath } from '../apiserver/console/console-path.js'
import { ConsoleFiles } from '../apiserver/console/files.js'
import { consoleFolder, howToInstall } from '../apiserver/console/folder.js'
import { hostOf, isLoopback, isOwnHost } from '../apiserver/console/origin.js'
import { ConsoleSessions, type SessionKeeper } from '../apiserver/console/sessions.js'
import { consoleStage } from '../apiserver/console/stage.js'
import { systemClock } from '../util/clock.js'
import { binnacleVersion } from '../util/own-package.js'
import { hostAndPort } from '../util/url-parts.js'
import { UserError } from '../util/user-error.js'
import { bindAddressOf } from './defaults.js'
import type { Foundation } from './foundation.js'
import type { ServerOptions } from './options.js'

interface Needs extends Pick<Foundation, 'pki' | 'certificateFor'> {
  /** Sessions of the server whose place this one takes. */
  readonly sessions: ConsoleSessions | undefined
  /** The sessions that the first of several processes keeps; undefined in that process. */
  readonly keptByFirst: SessionKeeper | undefined
  /** Where the front end is, in place of the usual places. */
  readonly folder: string | undefined
}

export interface ServerConsole {
  readonly stage: Stage
  readonly sessions: SessionKeeper
  /** The same sessions, in the process that keeps them. */
  readonly own: ConsoleSessions | undefined
  /** Goes by the names of another serving certificate. */
  use(serving: { readonly certificate: string }): void
  /** Returns a link by which a browser signs in as the user. Rejects with a UserError when there cannot be one. */
  link(url: string, user: UserInfo): Promise<string>
}

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Returns undefined for a server without a console. */
export function serverConsole(options: ServerOptions, needs: Needs): ServerConsole | undefined {
  const { console: access = 'never' } = options
  if (access === 'never') return undefined
  const { certificateFor, keptByFirst, folder } = needs
  // by the system's clock: a test that walks through days does not sign out those who watch it
  const own = keptByFirst ? undefined : (needs.sessions ?? new ConsoleSessions(systemClock))
  const sessions = own ?? keptByFirst!
  const files = new ConsoleFiles(folder === undefined ? consoleFolder : async () => folder)
  let serving = new X509Certificate(needs.pki.serving.certificate)
  const isNamed = (host: string) =>
    serving.checkHost(host, { subject: 'never' }) !== undefined || certificateFor?.(host) !== undefined
  const config = {
    version: binnacleVersion(),
    signIn: ['link', 'token'] as const,
    proxied: false
  }
  const stage = consoleStage(access, {
    files,
    sessions,
    scheme: 'https',
    isOwnHost: headers => isOwnHost(headers, isNamed),
    config
  })
  return {
    stage,
    sessions,
    own,
    use({ certificate }) {
      serving = new X509Certificate(certificate)
    },
    async link(url, user) {
      if (!own) throw new UserError('the first process of the server makes the links of the console')
      if (!(await files.isThere())) throw new UserError(`the console is not installed: ${howToInstall}`)
      const address = shownAt(url, bindAddressOf(options), access === 'loopback')
      return `${address}${consolePath}#code=${own.code(user)}`
    }
  }
}

/** Returns the URL by which a browser may open the console. Throws a UserError when there is none. */
function shownAt(url: string, bindAddress: string, isForLoopback: boolean): string {
  const host = hostOf({ host: new URL(url).host }) ?? ''
  if (!isForLoopback || host === 'localhost' || isLoopback(host)) return url
  if (!anyAddress.has(bindAddress))
    throw new UserError(`the console is shown on this machine only, and the server listens at ${bindAddress} only: see --console`)
  const { port } = new URL(url)
  return `https://${hostAndPort(isIP(bindAddress) === 6 ? '::1' : '127.0.0.1', Number(port || 443))}`
}

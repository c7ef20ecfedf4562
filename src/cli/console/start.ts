/** Starts the console beside a cluster. */

import { consolePath } from '../../apiserver/console/console-path.js'
import { ConsoleFiles } from '../../apiserver/console/files.js'
import { consoleFolder, howToInstall } from '../../apiserver/console/folder.js'
import { ConsoleSessions } from '../../apiserver/console/sessions.js'
import { listenPlainly } from '../../apiserver/http/plain-listener.js'
import type { ClusterAccess } from '../../client/connect/access.js'
import { type Clock, systemClock } from '../../util/clock.js'
import { binnacleVersion } from '../../util/own-package.js'
import { UserError } from '../../util/user-error.js'
import { Cluster } from './cluster.js'
import { proxyHandler } from './proxy.js'

export interface ConsoleOptions {
  readonly access: ClusterAccess
  /** 0 for any free one. */
  readonly port: number
  /** Where the front end is, in place of the usual places. */
  readonly folder?: string | undefined
  /** For sessions and links; the system's. */
  readonly clock?: Clock | undefined
}

export interface RunningConsole {
  readonly port: number
  /** The name and the URL of the cluster. */
  readonly cluster: Pick<Cluster, 'name' | 'url'>
  /** Returns another link that signs in once, within ten minutes. */
  link(): string
  close(): void
}

/** The cluster knows the user by its own credentials. */
const nobody = { name: '', groups: [] }

/** Rejects with a UserError when the front end is missing, or the port is not free. */
export async function startConsole({ access, port, folder, clock = systemClock }: ConsoleOptions): Promise<RunningConsole> {
  const files = new ConsoleFiles(folder === undefined ? consoleFolder : async () => folder)
  if (!(await files.isThere())) throw new UserError(`the console is not installed: ${howToInstall}`)
  const sessions = new ConsoleSessions(clock)
  const cluster = new Cluster(access)
  const hosts = new Set<string>()
  const listener = await listenPlainly(
    proxyHandler({
      files,
      sessions,
      cluster,
      scheme: 'http',
      isOwnHost: ({ host }) => hosts.has(String(host).toLowerCase()),
      config: { version: binnacleVersion(), signIn: ['link'], proxied: true, name: cluster.name }
    }),
    port
  )
  const suffix = listener.port === 80 ? '' : `:${listener.port}`
  for (const name of ['127.0.0.1', 'localhost']) hosts.add(name + suffix)
  return {
    port: listener.port,
    cluster,
    link: () => `http://127.0.0.1${suffix}${consolePath}#code=${sessions.code(nobody)}`,
    close() {
      listener.close()
      cluster.close()
    }
  }
}

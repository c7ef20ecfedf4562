/**
 * What operating systems do not have in common, where Node.js does not hide it: docs/platforms.md lists all. The default of `platform` is the
 * present one; tests name others.
 */
import { docsPage } from './docs-page.js'
import { UserError } from './user-error.js'

type Platform = NodeJS.Platform

/** Whether names of new files have to be brought to the disk by fsync of their folder. NTFS keeps a journal of them, and Windows refuses it. */
export const syncsFolders = (platform: Platform = process.platform): boolean => platform !== 'win32'

/** Whether SIGHUP asks to read files again. On Windows, it says that the console window closes, and the process has ten seconds. */
export const hangupReloads = (platform: Platform = process.platform): boolean => platform !== 'win32'

/** Throws a UserError where there are no sockets with a path. Windows has named pipes instead, which everybody on the machine may open. */
export function assertUnixSockets(what: string, platform: Platform = process.platform): void {
  if (platform === 'win32') throw new UserError(`${what} needs Unix sockets, which Windows does not have`)
}

/** Words that a native package has no binding for this machine. `instead` is what works without it. */
export const noBinding = (name: string, instead: string, { platform, arch, version }: Machine = process): string =>
  `the package ${name} has no native binding for ${platform}-${arch} and Node ${version.replace(/^v/, '')}: install without --omit=optional where there is one (${docsPage('platforms')}), or ${instead}`

type Machine = Pick<NodeJS.Process, 'platform' | 'arch' | 'version'>

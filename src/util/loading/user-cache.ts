import { homedir } from 'node:os'
import { posix, win32 } from 'node:path'

/** The present user's folder for what programs can make again. */
export function userCache(platform: NodeJS.Platform, env: Readonly<Record<string, string | undefined>>): string {
  if (platform === 'win32') return env.LOCALAPPDATA || win32.join(homedir(), 'AppData', 'Local')
  if (platform === 'darwin') return posix.join(homedir(), 'Library', 'Caches')
  return env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : posix.join(homedir(), '.cache')
}

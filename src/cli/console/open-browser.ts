/** Opens links in the user's browser. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The program that opens a file as the user would; undefined where nobody would see it. */
export function opener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/**
 * Opens a link with a secret. All users of a machine see the arguments of programs, so the browser is given a file that leads to the link, and
 * that only its owner may read. Returns what removes the file.
 */
export function openPrivately(link: string, [program, ...args]: readonly [string, ...string[]]): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-console-'))
  const file = join(folder, 'console.html')
  writeFileSync(file, page(link), { mode: 0o600, flag: 'wx' })
  const child = spawn(program, [...args, pathToFileURL(file).href], { stdio: 'ignore', detached: true })
  // a machine without such a program: the link is on the terminal
  child.on('error', () => {})
  child.unref()
  return () => rmSync(folder, { recursive: true, force: true })
}

/** `link` has no character that HTML would read otherwise. */
const page = (link: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${link}">
<title>Console of Binnacle</title>
<a href="${link}">Open the console</a>
`

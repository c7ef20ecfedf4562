/** The servers that are measured: the published build, started as `npm start` starts it, with one user, who may do everything. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { urlOf } from '../shared/server-url.mjs'

/** DIST names another build, to compare with. */
const usualDist = process.env.DIST ?? fileURLToPath(new URL('../../dist', import.meta.url))
const tuning = ['--v8-pool-size=1', '--max-semi-space-size=8'] // the flags of `npm start` and of the program's first line
/** PROFILE names a folder for profiles of the CPU time. */
const profile = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : []

/** Milliseconds without work after which a server gives back memory (src/cli/idle-memory.ts). */
const idleMs = 14_000

/** Resolves when a server has been idle for so long that it has given back memory. `cpu` reads its CPU time in milliseconds. */
export async function idle(cpu) {
  for (let quiet = 0; quiet < idleMs; ) {
    const before = cpu()
    await new Promise(resolve => setTimeout(resolve, 1000))
    quiet = cpu() - before > 20 ? 0 : quiet + 1000
  }
}

export const token = 'bench-token'
export const headers = { authorization: `Bearer ${token}` }

/** Returns the file, in a folder of `makeFolder`, by which a server knows the token. */
export const tokensFile = folder => path.join(folder, 'tokens.csv')

export function makeFolder(name) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `binnacle-${name}-`))
  fs.writeFileSync(tokensFile(folder), `${token},bench,bench-uid,"system:masters"\n`, { mode: 0o600 })
  return folder
}

/**
 * Starts a server with a folder of `makeFolder`, which several can share when each has `data` of its own; `dist` is the build. Resolves when it
 * listens.
 */
export async function startServer(folder, { data = path.join(folder, 'data'), flags = [], dist = usualDist } = {}) {
  const options = ['--secure-port=0', `--data-dir=${data}`, `--token-auth-file=${tokensFile(folder)}`, ...flags]
  const server = spawn(process.execPath, [...tuning, ...profile, path.join(dist, 'cli/main.js'), 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  // a benchmark that fails leaves no server behind
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  server.once('exit', () => process.off('exit', kill))
  return { url: await urlOf(server), pid: server.pid, stop: () => stop(server) }
}

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

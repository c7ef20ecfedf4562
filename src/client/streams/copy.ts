/** Copies files to and from containers, as `kubectl cp` does: with `tar`, which the container must have. */
import { basename, dirname, posix, resolve } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { KubeClient, ObjectName } from '../types.js'
import { exec } from './exec.js'

/**
 * Which container.
 *
 * @example
 * const options: CopyOptions = { namespace: 'team', container: 'database' }
 */
export interface CopyOptions {
  readonly namespace?: string | undefined
  /** May be left out for a Pod with one container. */
  readonly container?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Copies a file or folder into a container. `to` is its path there, with its name. Rejects with an Error that shows what `tar` says.
 *
 * @example
 * await copyTo(client, 'web', 'site/', '/usr/share/nginx/html')
 */
export async function copyTo(
  client: KubeClient,
  pod: ObjectName,
  from: string,
  to: string,
  options: CopyOptions = {}
): Promise<void> {
  const { create } = await import('tar')
  const source = resolve(from)
  const [name, target] = [basename(source), posix.basename(to)]
  const archive = create(
    {
      cwd: dirname(source),
      portable: true,
      onWriteEntry(entry) {
        entry.path = target + entry.path.slice(name.length)
      }
    },
    [name]
  )
  const command = ['tar', '-xmf', '-', '-C', posix.dirname(to)]
  const stdin = Readable.from(archive as unknown as AsyncIterable<Buffer>)
  const { exitCode, stderr } = await exec(client, pod, { ...options, command, stdin })
  if (exitCode !== 0) throw new Error(`tar in the container ended with ${exitCode}: ${stderr.trim()}`)
}

/**
 * Copies a file or folder out of a container. `to` is its path here, with its name. Nothing is written outside of it, whatever the
 * container sends. Rejects with an Error that shows what `tar` says.
 *
 * @example
 * await copyFrom(client, 'database', '/var/lib/backup', 'backup')
 */
export async function copyFrom(
  client: KubeClient,
  pod: ObjectName,
  from: string,
  to: string,
  options: CopyOptions = {}
): Promise<void> {
  const { extract } = await import('tar')
  const target = resolve(to)
  const [name, own] = [posix.basename(from), basename(target)]
  const archive = new PassThrough()
  const command = ['tar', 'cf', '-', '-C', posix.dirname(from), name]
  const written = pipeline(
    archive,
    extract({
      cwd: dirname(target),
      strict: true,
      filter(path, entry) {
        const parts = path.split('/').filter(part => part !== '' && part !== '.')
        // links could lead out of the folder
        const isPlain = 'type' in entry && (entry.type === 'File' || entry.type === 'Directory')
        if (parts[0] !== name || parts.includes('..') || !isPlain) return false
        entry.path = [own, ...parts.slice(1)].join('/')
        return true
      }
    })
  )
  written.catch(() => {})
  const { exitCode, stderr } = await exec(client, pod, { ...options, command, stdout: archive }).finally(() => archive.end())
  if (exitCode !== 0) throw new Error(`tar in the container ended with ${exitCode}: ${stderr.trim()}`)
  await written
}

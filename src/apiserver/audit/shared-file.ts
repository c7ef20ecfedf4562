/** The log file of several servers in one process: of a server, its forks and those that it hosts. */
import { resolve } from 'node:path'
import type { LineWriter } from './log-target.js'
import { RotatingFile, type RotatingFileOptions } from './rotating-file.js'

interface Shared {
  readonly file: RotatingFile
  users: number
}

const files = new Map<string, Shared>()

/**
 * Opens a file, or shares the one that is open at this path, with its limits: two that rotate one path would write into each other's
 * old files. Throws a UserError.
 */
export function sharedFile(options: RotatingFileOptions): LineWriter {
  const path = resolve(options.path)
  let shared = files.get(path)
  if (!shared) files.set(path, (shared = { file: new RotatingFile(options), users: 0 }))
  const { file } = shared
  shared.users++
  let isOpen = true
  return {
    write: text => file.write(text),
    async close() {
      if (!isOpen) return
      isOpen = false
      if (--shared.users > 0) return
      files.delete(path)
      await file.close()
    }
  }
}

/** The folders of snapshots and forks: they last no longer than the process. */
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const present = new Set<string>()

/** Makes a folder, which is deleted at the latest when the process ends by itself. */
export async function makeTemporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-fork-'))
  if (present.size === 0) process.on('exit', removeAll)
  present.add(directory)
  return directory
}

export async function removeTemporary(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  if (present.delete(directory) && present.size === 0) process.off('exit', removeAll)
}

/** Deletes the folders of snapshots that nobody disposed of, and of forks that nobody stopped. */
function removeAll(): void {
  for (const directory of present) {
    try {
      rmSync(directory, { recursive: true, force: true })
    } catch {
      // Windows keeps files that are open
    }
  }
}

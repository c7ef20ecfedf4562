/** Says before a write whether the disk would refuse it. */
import { accessSync, constants, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes that stay free on the disk: more than the pages of one transaction, but for extreme ones. */
export const spareBytes = 16 * 1024 * 1024

type Statfs = (path: string) => { bavail: number; bsize: number }

export const isFull = (directory: string, bytes: number, statfs: Statfs = statfsSync): boolean => {
  const { bavail, bsize } = statfs(directory)
  return bavail * bsize < bytes
}

/**
 * Throws an error with the code ENOSPC or EROFS when a transaction would fail on a full or read-only disk. LMDB must not find out by
 * itself: lmdb 3.5.6 writes its message about a failed write past the end of a buffer (mdb_page_flush), which can end the process.
 */
export function assertRoom(directory: string, file: string, statfs?: Statfs): void {
  accessSync(join(directory, file), constants.W_OK)
  if (isFull(directory, spareBytes, statfs)) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
}

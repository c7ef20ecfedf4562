/**
 * A problem that the user can fix: a flag, a file, a port. The command line shows `message` as its only line and exits with 1.
 * Every other error is a bug and is shown with its stack.
 */
export class UserError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UserError'
  }
}

/** Describes a failed file operation: `--client-ca-file ca.crt: no such file`. */
export const fileError = (what: string, error: unknown): UserError => {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return new UserError(`${what}: ${reasons.get(code) ?? (error as Error).message}`, { cause: error })
}

const reasons = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['EISDIR', 'is a directory, not a file'],
  ['ENOTDIR', 'a part of the path is not a directory'],
  ['EEXIST', 'exists and is not a directory'],
  ['ENOSPC', 'no space left on the disk'],
  ['EROFS', 'the file system is read-only']
])

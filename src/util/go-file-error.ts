const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'is a directory',
  ENOTDIR: 'not a directory',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long'
}

/** Describes a failed file operation in Go's words: `open /x: no such file or directory`. A read of a folder fails on reading. */
export function goFileError(operation: 'open' | 'stat', path: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const done = code === 'EISDIR' && operation === 'open' ? 'read' : operation
  return `${done} ${path}: ${Object.hasOwn(reasons, code) ? reasons[code] : message}`
}

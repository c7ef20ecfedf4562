/** Names of scheduled backups: `binnacle-20260101T030000Z`, so that names are in the order of the times. */

const pattern = /^binnacle-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/

export const isBackupName = (name: string): boolean => pattern.test(name)

export const nameAt = (time: number): string =>
  `binnacle-${new Date(time).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}`

/** In milliseconds since 1970. */
export function timeOf(name: string): number {
  const [, ...parts] = pattern.exec(name)!
  const [year, month, day, hour, minute, second] = parts.map(Number)
  return Date.UTC(year!, month! - 1, day, hour, minute, second)
}

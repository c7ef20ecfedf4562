/** Formats a duration in milliseconds as kubectl shows ages: at most two units, the finer one only while it is significant. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(minutes / 60)
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (hours < 192) return two(days, 'd', hours % 24, 'h')
  if (hours < 24 * 365 * 2) return `${days}d`
  const years = Math.trunc(days / 365)
  if (hours < 24 * 365 * 8) return two(years, 'y', days % 365, 'd')
  return `${years}y`
}

/** Milliseconds until humanDuration returns another text. */
export function untilDurationChanges(milliseconds: number): number {
  const seconds = Math.trunc(milliseconds / 1000)
  const unit = seconds < 600 ? 1000 : seconds < 8 * 3600 ? 60_000 : seconds < 192 * 3600 ? 3_600_000 : 86_400_000
  return unit - (((milliseconds % unit) + unit) % unit)
}

function two(coarse: number, coarseUnit: string, fine: number, fineUnit: string): string {
  return fine === 0 ? `${coarse}${coarseUnit}` : `${coarse}${coarseUnit}${fine}${fineUnit}`
}

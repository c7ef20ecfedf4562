/** Counts that may be given as a part of another: `25%`. */
export function scaledValue(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0
  if (typeof value === 'number') return value
  const part = (Number(value.replace(/%$/, '')) * total) / 100
  return round === 'up' ? Math.ceil(part) : Math.floor(part)
}

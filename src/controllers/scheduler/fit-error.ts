/** The message that tells why a Pod fits nowhere. */
import type { Diagnosis } from './find-nodes.js'

export function fitErrorMessage(all: number, { general, nodes, others }: Omit<Diagnosis, 'plugins'>, afterwards = ''): string {
  const counts = new Map<string, number>()
  const count = (reasons: readonly string[], by: number) => {
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + by)
  }
  if (!general) {
    for (const { reasons } of nodes.values()) count(reasons, 1)
    if (others && nodes.size < all) count(others.reasons, all - nodes.size)
  }
  const reasons = general ? general.reasons : [...counts].map(([reason, times]) => `${times} ${reason}`).sort()
  const told = reasons.length > 0 ? ` ${reasons.join(', ')}.` : ''
  return `0/${all} nodes are available:${told}${afterwards && ` ${afterwards}`}`
}

/** As many bytes as the note of an Event may have. */
const longestNote = 1024
const ending = ' ...'

export function noteOf(message: string): string {
  const bytes = Buffer.from(message)
  return bytes.length <= longestNote ? message : `${bytes.subarray(0, longestNote - ending.length)}${ending}`
}

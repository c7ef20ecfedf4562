/** Reads from Linux' /proc what processes use. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'

/** Milliseconds of CPU time that a process has used so far, in steps of ten. */
export function cpuOf(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Bytes of a process. Of what several processes share, `pss` counts a part; `anonymous` leaves out files that are mapped. The process can't change its map while
 * Linux counts, so this is not for every moment of a measurement.
 */
export function memoryOf(pid) {
  const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const of = name => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)[1]) * 1024
  return { rss: of('Rss'), pss: of('Pss'), anonymous: of('Pss_Anon') }
}

/** Returns a process and those that it has started. */
export const withChildren = pid => [
  pid,
  ...spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)
]

// Ends the server that start.mjs has started, and shows what it has logged.
import { readFileSync } from 'node:fs'

const { STATE_pid: pid, STATE_log: log } = process.env

if (pid) {
  try {
    process.kill(Number(pid))
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
    process.stdout.write('::warning::Binnacle had ended before the job\n')
  }
  process.stdout.write(`::group::Binnacle's log\n${readFileSync(log, 'utf8')}::endgroup::\n`)
}

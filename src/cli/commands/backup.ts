import { resolve } from 'node:path'
import { flag } from '../../server/options/flag.js'
import { string } from '../../server/options/value-types.js'
import { UserError } from '../../util/user-error.js'
import { parseFlags } from '../flags/parse.js'
import { commandHelp, dataDirFlag, helpFlag, progressFlag, section, shownProgress } from './data-flags.js'

export const backupFlags = {
  'data-dir': dataDirFlag,
  to: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Folder to create, with the backup in it.'
  }),
  progress: progressFlag,
  help: helpFlag
}

const what = `Copies the data folder of a server as it is at one moment. The server may be running.

The backup has the store, and the server's keys and certificates. Files that flags name are not in it, such as those of
--encryption-provider-config: keep them, too, but elsewhere. The data in etcd are backed up by etcdctl snapshot save.`

/** `binnacle backup` */
export async function backupCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, backupFlags)
  if (values.help) return void process.stdout.write(commandHelp(what, 'backup', backupFlags))
  if (values.to === undefined) throw new UserError('--to is missing: the folder that will have the backup')
  const { backup } = await import('../../server/maintenance/backup.js')
  const display = shownProgress(values.progress)
  const progress = display.step('Copying the store', 'bytes')
  await backup(resolve(values['data-dir'] ?? ''), resolve(values.to), { progress }).finally(display.end)
  process.stdout.write(`${values.to} has the backup of ${values['data-dir']}\n`)
}

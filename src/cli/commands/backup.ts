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
    help: 'Folder to create, with the backup in it, or a name in a bucket: "s3://bucket/folder/NAME".'
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
  const [{ backup }, buckets] = await Promise.all([
    import('../../server/maintenance/backup.js'),
    import('../../server/maintenance/bucket.js')
  ])
  const display = shownProgress(values.progress)
  const progress = display.step('Copying the store', 'bytes')
  const dataDir = resolve(values['data-dir'] ?? '')
  const make = async (to: string): Promise<void> => {
    if (!buckets.isBucketAddress(to)) return backup(dataDir, resolve(to), { progress })
    const { folder, name } = buckets.backupAddress(to, '--to')
    const bucket = await buckets.BackupBucket.open(folder)
    if ((await bucket.present()).includes(name))
      throw new UserError(`--to ${to}: exists already; a backup needs a name of its own`)
    const { backupTo } = await import('../../server/maintenance/bucket-place.js')
    await backupTo(bucket, dataDir, name, { progress, uploaded: display.step('Uploading', 'bytes') })
  }
  await make(values.to).finally(display.end)
  process.stdout.write(`${values.to} has the backup of ${values['data-dir']}\n`)
}

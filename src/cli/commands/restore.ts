import { join, resolve } from 'node:path'
import { flag } from '../../server/options/flag.js'
import { integer, string } from '../../server/options/value-types.js'
import { UserError } from '../../util/user-error.js'
import { parseFlags } from '../flags/parse.js'
import { commandHelp, dataDirFlag, helpFlag, progressFlag, section, shownProgress } from './data-flags.js'

export const restoreFlags = {
  'data-dir': { ...dataDirFlag, help: 'Data folder to create, or one without a store.' },
  from: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Folder of the backup, or its place in a bucket: "s3://bucket/folder/NAME".'
  }),
  'bump-revision': flag({
    section,
    type: integer('int', { from: 0, to: 1_000_000_000_000, isWhole: true, what: 'a number' }),
    default: 1_000_000_000,
    help: 'By how much to raise the revision, so that no client takes a resource version from after the backup for one of this server. 0 keeps the revision and the history.'
  }),
  progress: progressFlag,
  help: helpFlag
}

const what = `Makes a data folder from a backup.

The backup is checked first. Objects get no new resource versions, but watches from before end with 410, so that clients list again.`

/** `binnacle restore` */
export async function restoreCommand(args: readonly string[]): Promise<void> {
  const { values } = parseFlags(args, restoreFlags)
  if (values.help) return void process.stdout.write(commandHelp(what, 'restore', restoreFlags))
  if (values.from === undefined) throw new UserError('--from is missing: the folder of the backup')
  const [{ restore }, buckets] = await Promise.all([
    import('../../server/maintenance/restore.js'),
    import('../../server/maintenance/bucket.js')
  ])
  const display = shownProgress(values.progress)
  const progress = { copied: display.step('Copying the store', 'bytes'), checked: display.step('Checking the copy', 'keys') }
  const dataDir = resolve(values['data-dir'] ?? '')
  const restoreFrom = (folder: string) => restore(folder, dataDir, values['bump-revision'], progress)
  const make = async (from: string): ReturnType<typeof restore> => {
    if (!buckets.isBucketAddress(from)) return restoreFrom(resolve(from))
    const { folder, name } = buckets.backupAddress(from, '--from')
    const bucket = await buckets.BackupBucket.open(folder)
    const downloaded = display.step('Downloading', 'bytes')
    return buckets.withTemporary(async copies => {
      await bucket.download(name, join(copies, name), downloaded)
      return restoreFrom(join(copies, name))
    })
  }
  const { keys, revision } = await make(values.from).finally(display.end)
  process.stdout.write(`${values['data-dir']} has ${keys} keys from ${values.from}, at revision ${revision}\n`)
}

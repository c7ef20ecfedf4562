import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flag } from '../../server/options/flag.js'
import { bool, string } from '../../server/options/value-types.js'
import { fileError, UserError } from '../../util/user-error.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'
import { DEFAULT_DATA_DIR } from '../serve-options.js'

const section = 'Kubeconfig'
export const kubeconfigFlags = {
  'data-dir': flag({ section, type: string, default: DEFAULT_DATA_DIR, help: 'Data folder of the server.' }),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help = (): string => `Prints the admin kubeconfig of the server that was started last on a data folder.

Usage:
  binnacle kubeconfig [flags]

${flagsHelp(kubeconfigFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

/**
 * `binnacle kubeconfig`: prints the kubeconfig that the server wrote to its data folder at its start, with its actual address.
 */
export const printKubeconfig = async (args: readonly string[]): Promise<void> => {
  const { values } = parseFlags(args, kubeconfigFlags)
  if (values.help) return void process.stdout.write(help())
  const dataDir = values['data-dir'] ?? DEFAULT_DATA_DIR
  const path = join(dataDir, 'kubeconfig')
  try {
    process.stdout.write(await readFile(path, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw fileError(path, error)
    throw new UserError(`${path}: no such file; has a server been started with --data-dir ${dataDir}?`, { cause: error })
  }
}

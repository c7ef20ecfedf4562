import { flag } from '../../server/options/flag.js'
import { bool } from '../../server/options/value-types.js'
import { UserError } from '../../util/user-error.js'
import { type Commands, completions } from '../completion.js'
import { parseFlags } from '../flags/parse.js'
import { serveFlags } from '../flags/serve-flags.js'
import { applyFlags } from './apply.js'
import { backupFlags } from './backup.js'
import { certificateFlags } from './certificate.js'
import { checkFlags } from './check.js'
import { consoleFlags } from './console.js'
import { doctorFlags } from './doctor.js'
import { envtestFlags } from './envtest.js'
import { generateFlags } from './generate.js'
import { historyFlags, undeleteFlags } from './history.js'
import { kubeconfigFlags } from './kubeconfig.js'
import { migrateFlags } from './migrate.js'
import { restoreFlags } from './restore.js'
import { snapshotFlags } from './snapshot.js'
import { typesFlags } from './types.js'
import { versionFlags } from './version.js'
import { whoCanFlags } from './who-can.js'
import { whyFlags } from './why.js'

const shells = Object.keys(completions)
const completionFlags = {
  help: flag({ section: 'Completion', type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help = `Prints a script that completes the commands, flags and values of binnacle in a shell.

Usage:
  binnacle completion bash|zsh|fish

  eval "$(binnacle completion bash)"       in ~/.bashrc
  eval "$(binnacle completion zsh)"        in ~/.zshrc, after compinit
  binnacle completion fish | source        in ~/.config/fish/config.fish
`

export const completedCommands: Commands = {
  serve: { what: 'Serves the Kubernetes API', flags: serveFlags },
  apply: { what: 'Applies manifests to a server, all or nothing', flags: applyFlags },
  backup: { what: 'Copies a data folder while its server runs', flags: backupFlags },
  restore: { what: 'Makes a data folder from a backup', flags: restoreFlags },
  check: { what: 'Checks a store', flags: checkFlags },
  migrate: { what: 'Moves all objects from a data folder to etcd, or back', flags: migrateFlags },
  doctor: { what: 'Looks at the data, certificates and machine of a server', flags: doctorFlags },
  certificate: {
    what: 'Checks certificates, or makes new ones',
    flags: certificateFlags,
    words: ['check', 'rotate', 'authority', 'prepare', 'switch', 'finish']
  },
  kubeconfig: { what: 'Prints a kubeconfig for the admin, a user or a ServiceAccount', flags: kubeconfigFlags },
  generate: { what: 'Writes the manifests of an operator', flags: generateFlags },
  snapshot: { what: 'Takes the state of a cluster, from which servers start', flags: snapshotFlags },
  types: { what: 'Writes TypeScript types for CustomResourceDefinitions', flags: typesFlags },
  why: {
    what: 'Explains why a server answers as it does',
    flags: whyFlags,
    words: ['denied', 'deleting', 'field', 'admission', 'cost']
  },
  'who-can': { what: 'Lists who may make a request', flags: whoCanFlags },
  console: { what: 'Shows a cluster in the browser', flags: consoleFlags },
  history: { what: 'Shows the versions of an object, and objects as they were', flags: historyFlags, words: ['get'] },
  undelete: { what: 'Brings back a deleted object', flags: undeleteFlags },
  envtest: { what: 'Writes the programs that envtest starts', flags: envtestFlags },
  completion: { what: 'Prints what completes command lines', flags: completionFlags, words: shells },
  version: { what: 'Shows the versions', flags: versionFlags }
}

/** `binnacle completion SHELL` */
export function printCompletion(args: readonly string[]): void {
  const shell = args.find(arg => !arg.startsWith('-'))
  const { values } = parseFlags(
    args.filter(arg => arg !== shell),
    completionFlags
  )
  if (values.help) return void process.stdout.write(help)
  const script = shells.includes(shell ?? '') ? completions[shell!] : undefined
  if (!script) throw new UserError(`completion needs the name of a shell: ${shells.join(', ')}`)
  process.stdout.write(script(completedCommands))
}

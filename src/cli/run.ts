/** The commands of the command line, and what runs them. */
import { docsPage } from '../util/docs-page.js'
import { suggest } from '../util/suggest.js'
import { UserError } from '../util/user-error.js'
import type { LoadModule } from './commands/generate.js'
import { errorLine } from './error-line.js'

const help = `Binnacle is the Kubernetes API server in one Node process.

Usage:
  binnacle <command> [flags]

Commands:
  serve        Serves the Kubernetes API
  simulate     Serves the Kubernetes API of a cluster whose Nodes run nothing: serve --simulate
  apply        Applies manifests to a server, all or nothing
  backup       Copies a data folder while its server runs
  restore      Makes a data folder from a backup
  check        Checks a store: its history, and that every value can be read
  migrate      Moves all objects from a data folder to etcd, or back
  doctor       Looks at a server's data, certificates and machine, and says what to do
  certificate  Checks certificates, or makes new ones
  kubeconfig   Prints a kubeconfig for the admin, a user or a ServiceAccount
  generate     Writes the manifests of an operator
  snapshot     Takes the state of a cluster, from which servers start
  types        Writes TypeScript types for CustomResourceDefinitions
  why          Explains why a request is refused, an object does not go away, who owns a field
  who-can      Lists who may make a request, and through which bindings
  console      Shows a cluster in the browser
  history      Shows the versions of an object, and objects as they were
  undelete     Brings back a deleted object
  envtest      Writes the programs that controller-runtime's envtest starts, and prints their folder
  completion   Prints what completes command lines in bash, zsh or fish
  version      Shows the versions of Binnacle and of the Kubernetes API that it serves

"binnacle <command> --help" shows the flags of a command.
Documentation: ${docsPage('README')}
`

const commands = new Map<string, (args: readonly string[], load: LoadModule) => void | Promise<void>>([
  ['serve', async args => (await import('./commands/serve.js')).serve(args)],
  ['simulate', async args => (await import('./commands/serve.js')).serve(['--simulate', ...args])],
  ['apply', async args => (await import('./commands/apply.js')).applyCommand(args)],
  ['backup', async args => (await import('./commands/backup.js')).backupCommand(args)],
  ['restore', async args => (await import('./commands/restore.js')).restoreCommand(args)],
  ['check', async args => (await import('./commands/check.js')).checkCommand(args)],
  ['migrate', async args => (await import('./commands/migrate.js')).migrateCommand(args)],
  ['doctor', async args => (await import('./commands/doctor.js')).doctorCommand(args)],
  ['certificate', async args => (await import('./commands/certificate.js')).certificateCommand(args)],
  ['kubeconfig', async args => (await import('./commands/kubeconfig.js')).printKubeconfig(args)],
  ['generate', async (args, load) => (await import('./commands/generate.js')).generateCommand(args, load)],
  ['snapshot', async args => (await import('./commands/snapshot.js')).snapshotCommand(args)],
  ['types', async args => (await import('./commands/types.js')).typesCommand(args)],
  ['why', async args => (await import('./commands/why.js')).whyCommand(args)],
  ['who-can', async args => (await import('./commands/who-can.js')).whoCanCommand(args)],
  ['console', async args => (await import('./commands/console.js')).consoleCommand(args)],
  ['history', async args => (await import('./commands/history.js')).historyCommand(args)],
  ['undelete', async args => (await import('./commands/history.js')).undeleteCommand(args)],
  ['envtest', async args => (await import('./commands/envtest.js')).envtestCommand(args)],
  // `binnacle serve --workers` starts it
  ['serve-worker', async () => (await import('./commands/serve-worker.js')).serveWorker()],
  // the scripts that envtest wrote run it
  ['envtest-program', async args => (await import('./envtest/program.js')).runProgram(args)],
  ['completion', async args => (await import('./commands/completion.js')).printCompletion(args)],
  ['version', async args => (await import('./commands/version.js')).printVersion(args)],
  ['help', () => void process.stdout.write(help)],
  ['--help', () => void process.stdout.write(help)],
  ['-h', () => void process.stdout.write(help)],
  ['--version', async args => (await import('./commands/version.js')).printVersion(args)]
])

const command = async ([name = 'help', ...args]: readonly string[], load: LoadModule): Promise<void> => {
  const known = commands.get(name)
  if (known) return known(args, load)
  const near = suggest(name, commands.keys())
  throw new UserError(
    `unknown command ${JSON.stringify(name)}${near === undefined ? '; see binnacle --help' : `; did you mean ${near}?`}`
  )
}

/** Runs a command line; `load` loads modules of users. A problem is written to stderr, and ends the process. */
export async function run(args: readonly string[], load: LoadModule): Promise<void> {
  // The reader of the output may close it; the server continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    await command(args, load)
  } catch (error) {
    const line = errorLine(error)
    process.stderr.write(line === undefined ? `${(error as Error)?.stack ?? error}\n` : `binnacle: ${line}\n`)
    // Parts of a server that failed to start may keep the process alive.
    process.exit(1)
  }
}

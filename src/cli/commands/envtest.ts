import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { flag } from '../../server/options/flag.js'
import { bool } from '../../server/options/value-types.js'
import { docsPage } from '../../util/docs-page.js'
import { binnacleVersion } from '../../util/own-package.js'
import { defaultDirectory, thisMachine, writeAssets } from '../envtest/assets.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'
import { acceptedFlags, serveFlags, serveSections } from '../flags/serve-flags.js'

const section = 'envtest'

export const envtestFlags = {
  controllers: flag({
    ...serveFlags.controllers,
    section,
    default: [],
    help: 'The controllers that run inside the server, as for serve: * means all. None by default, as with envtest. A test run may say otherwise with the environment variable BINNACLE_ENVTEST_CONTROLLERS.'
  }),
  simulate: flag({
    ...serveFlags.simulate,
    section,
    help: `Make a cluster of the server, in which Deployments and other workloads become ready (${docsPage('simulate')}), with all controllers unless --controllers says otherwise. A test run may ask for it with the environment variable BINNACLE_ENVTEST_SIMULATE=true.`
  }),
  snapshot: flag({
    ...serveFlags.snapshot,
    section,
    help: `Each server starts from a snapshot in this file, which "binnacle snapshot" or a program has saved (${docsPage('testing')}). A test run may name one with the environment variable BINNACLE_ENVTEST_SNAPSHOT.`
  }),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help = `Writes the programs that controller-runtime's envtest starts (kube-apiserver, etcd, kubectl) and prints their folder:

  export KUBEBUILDER_ASSETS=$(npx binnacle envtest)
  go test ./...

The server keeps objects in memory and ends with the test. DIR is where setup-envtest keeps versions (its --bin-dir; "bin" in projects of
kubebuilder); by default, a folder in the user's cache.

Usage:
  binnacle envtest [DIR] [flags]

`

/** `binnacle envtest`: prints nothing but the folder on stdout. */
export function envtestCommand(args: readonly string[]): void {
  const [directory, rest] = args[0] !== undefined && !args[0].startsWith('-') ? [args[0], args.slice(1)] : [undefined, args]
  const { values } = parseFlags(rest, envtestFlags)
  if (values.help)
    return void process.stdout.write(help + flagsHelp(envtestFlags, [section], Math.min(process.stdout.columns ?? 100, 120)))
  // npx starts the command through a link
  const main = realpathSync(process.argv[1]!)
  const node = process.execPath
  const passedOn = [
    ...(values.controllers.length > 0 ? [`--controllers=${values.controllers.join(',')}`] : []),
    ...(values.simulate ? ['--simulate'] : []),
    ...(values.snapshot ? [`--snapshot=${resolve(values.snapshot)}`] : [])
  ]
  const folder = writeAssets(
    {
      node,
      main,
      directory: resolve(directory ?? defaultDirectory(binnacleVersion(), [node, main, ...passedOn], thisMachine)),
      flags: passedOn,
      help: flagsHelp(acceptedFlags, serveSections, 120)
    },
    thisMachine
  )
  process.stdout.write(`${folder}\n`)
}

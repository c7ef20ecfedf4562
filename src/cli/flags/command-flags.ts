/** The flags of `binnacle serve` that are about the command, and no options of a server. */

import { admissionPluginNames } from '../../admission/plugin-names.js'
import { mostNodes, usualNodeCapacity, usualNodes } from '../../controllers/simulation/simulate-options.js'
import { flag } from '../../server/options/flag.js'
import { bool, chosen, integer, quantities, string, strings, type ValueType } from '../../server/options/value-types.js'
import { auto } from '../../server/workers/settings.js'
import { docsPage } from '../../util/docs-page.js'

const someWorkers = integer('int|auto', { from: 1, to: 64, isWhole: true, what: 'a number from 1 to 64, or auto' })

const workers: ValueType<number> = {
  label: someWorkers.label,
  value: someWorkers.value,
  read: (text, previous) => (text === 'auto' ? auto : someWorkers.read(text, previous))
}

export const commandFlags = {
  workers: flag({
    section: 'Generic',
    type: workers,
    default: 1,
    help: 'How many processes take connections on the port; auto for as many as the machine has processors, 8 at most. The first of them writes to the store and runs the controllers. Needs --storage-backend=lmdb or etcd3.'
  }),
  simulate: flag({
    section: 'Generic',
    type: bool,
    default: false,
    help: `Make a cluster of the server, whose Nodes act as kubelets do and run nothing: Deployments, Jobs and other workloads become ready (${docsPage('simulate')}). For tests and for learning; "binnacle simulate" is short for it.`
  }),
  nodes: flag({
    section: 'Generic',
    type: integer('int', { from: 0, to: mostNodes, isWhole: true, what: `a number from 0 to ${mostNodes}` }),
    default: usualNodes,
    help: 'How many Nodes a simulated cluster has; 0 for one whose Nodes others bring.'
  }),
  'node-capacity': flag({
    section: 'Generic',
    type: quantities,
    default: usualNodeCapacity,
    defaultText: 'cpu=8,memory=32Gi,pods=110',
    help: 'The resources of each Node of a simulated cluster. Those that are left out stay as they are.'
  }),
  recorder: flag({
    section: 'Generic',
    type: bool,
    default: false,
    help: `Keep the last 1,000 requests in memory, with what authorization and admission did: "binnacle why denied" explains them (${docsPage('explain')}).`
  }),
  config: flag({
    section: 'Generic',
    type: string,
    default: undefined,
    help: 'YAML file with flags and their values, by their names or those of the options of the library. Paths in it are relative to the file. Flags of the command line count more.'
  }),
  'validate-config': flag({
    section: 'Generic',
    type: bool,
    default: false,
    help: 'Name every mistake in the flags, in the file of --config and in the files that they name, and end: with 0 when there is none, else with 1. No port, store or connection is opened.'
  }),
  'kubeconfig-out': flag({
    isPath: 'as given',
    section: 'Generic',
    type: string,
    default: undefined,
    help: 'Also write the admin kubeconfig to this file. It contains a private key and is readable by its owner only.'
  }),
  stdio: flag({
    section: 'Generic',
    type: bool,
    default: false,
    help: `Talk with the program that started the server in lines of JSON: say on stdout when it serves, answer requests from stdin, and stop when stdin ends (${docsPage('other-languages')}). For tests in other languages.`
  }),
  'admission-control': flag<readonly string[] | undefined>({
    section: 'Admission',
    type: strings(text => chosen(text, admissionPluginNames)),
    default: undefined,
    help: 'All admission plugins that run. Deprecated: use --enable-admission-plugins and --disable-admission-plugins.'
  }),
  help: flag({ section: 'Global', type: bool, default: false, shorthand: 'h', help: 'Shows this help.' }),
  version: flag({ section: 'Global', type: bool, default: false, help: 'Shows the version.' })
}

import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import type { ServerOptions } from '../../server/options.js'
import type { Crew } from '../../server/workers/crew.js'
import { processesOf, shareOf, type WorkerSettings } from '../../server/workers/settings.js'
import { writeKubeconfig } from '../../transport/certificates/kubeconfig.js'
import { systemClock } from '../../util/clock.js'
import { docsPage } from '../../util/docs-page.js'
import type { Logger } from '../../util/logger.js'
import { hangupReloads } from '../../util/platform.js'
import { UserError } from '../../util/user-error.js'
import { parseFlagsAndFile } from '../config-file.js'
import { deprecationWarnings } from '../flags/deprecated-flags.js'
import { notesOnTuning } from '../flags/fixed-flags.js'
import { flagTexts } from '../flags/flag-texts.js'
import { flagsHelp } from '../flags/help.js'
import { acceptedFlags, type ServeValues, serveFlags, serveSections } from '../flags/serve-flags.js'
import { lifetime } from '../lifetime.js'
import { stopWithParent } from '../parent.js'
import { serverOptions } from '../serve-options.js'
import { shellQuoted } from '../shell-quoted.js'
import { answerLines } from '../stdio.js'
import { serviceManager } from '../systemd.js'
import { terminationHandler } from '../termination.js'
import { printVersion } from './version.js'

const help = (): string => `Serves the Kubernetes API.

Usage:
  binnacle serve [flags]

Flags have kube-apiserver's names. Its other flags are accepted with the value that says what Binnacle does anyway, nearly always their
default: ${docsPage('flags')} lists them, with the reasons.

${flagsHelp(serveFlags, serveSections, Math.min(process.stdout.columns ?? 100, 120))}`

export interface ServeHow {
  /** Changes the values of the flags. `given` are the names of those on the command line. */
  readonly adjust?: (values: ServeValues, given: ReadonlySet<string>) => ServeValues
  /** Whether a test started the server. It knows the address and has credentials of its own, so the command prints neither. */
  readonly isTest?: boolean
}

/** `binnacle serve`: runs until a signal stops it. */
export const serve = async (
  args: readonly string[],
  { adjust = values => values, isTest = false }: ServeHow = {}
): Promise<void> => {
  const mistakes: UserError[] = []
  const { values: written, given, places } = parseFlagsAndFile(args, acceptedFlags, mistake => void mistakes.push(mistake))
  const values = adjust(written, given)
  if (values['validate-config'] && !values.help) {
    const { validateConfig } = await import('./validate-config.js')
    if (!(await validateConfig({ values, places, mistakes }))) process.exitCode = 1
    return
  }
  if (mistakes[0]) throw mistakes[0]
  if (values.help) return void process.stdout.write(help())
  if (values.version) return printVersion([])
  for (const warning of deprecationWarnings(given)) process.stderr.write(`${warning}\n`)
  const options = serverOptions(values)
  const { stdio } = values
  if (stdio && options.auditLogPath === '-') throw new UserError('--stdio and --audit-log-path=- would both write to stdout')

  const { server, crew, log } = await makeServer(values, options)
  const manager = isTest ? undefined : serviceManager({ environment: process.env, warn: message => log.warn(message) })
  let temporary: string | undefined
  const announce = async (): Promise<void> => {
    if (isTest && values['kubeconfig-out'] === undefined) return
    const [url, kubeconfig] = [server.url, server.kubeconfig()]
    const kubeconfigs = kubeconfigPaths(options.dataDir, values['kubeconfig-out'])
    if (kubeconfigs.length === 0 && !stdio)
      kubeconfigs.push(join((temporary = await mkdtemp(join(tmpdir(), 'binnacle-'))), 'kubeconfig'))
    for (const path of kubeconfigs) await writeKubeconfig(path, kubeconfig)
    if (options.dataDir !== undefined) await keepOutOfGit(options.dataDir)
    if (announceInLine) return announceInLine({ url, kubeconfig })
    if (!life.isStopping()) manager?.ready(`Serving the Kubernetes API at ${url}`)
    const { greetingLine } = await import('../console/greeting-line.js')
    const consoleLine = await greetingLine(server, options, { isTerminal: process.stdout.isTTY === true })
    process.stdout.write(greeting(url, options, kubeconfigs.at(-1)!, consoleLine))
  }
  const life = lifetime({
    start: () => server.start(),
    announce,
    stop: async () => {
      await server.stop()
      if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
    }
  })
  const stop = async (): Promise<void> => {
    await Promise.all([manager?.stopping(), life.stop()])
  }
  const onSignal = terminationHandler({
    stop,
    exit: code => process.exit(code),
    clock: systemClock,
    note: line => process.stderr.isTTY && process.stderr.write(`${line}\n`)
  })
  const reload = async () => {
    await server.reload()
    await crew?.tell('reload')
  }
  process.on('SIGTERM', onSignal)
  // Ctrl-C reaches all processes of a terminal: the program that started the server still needs it to clean up
  process.on('SIGINT', stdio && !process.stdin.isTTY ? () => {} : onSignal)
  // without a handler, SIGHUP would end the process
  process.on('SIGHUP', hangupReloads() ? () => void life.running.then(reload).catch(() => {}) : onSignal)
  const announceInLine = stdio && answerLines(server, { input: process.stdin, output: process.stdout, onEnd: onSignal })
  if (!stdio && process.env.npm_lifecycle_event !== undefined) stopWithParent(onSignal)
  await life.running
}

/** Makes the server, with the crew of its other processes if it has several. Writes the flags to the log. */
async function makeServer(
  values: ServeValues,
  options: ServerOptions
): Promise<{ server: BinnacleServer; crew: Crew | undefined; log: Logger }> {
  // loaded only here, so that help and errors appear at once
  const [{ createServer }, { createServerAt }, { openLog }, { FeatureGates }, { effectiveVersion }] = await Promise.all([
    import('../../index.js'),
    import('../../server/server.js'),
    import('../../apiserver/logging/log.js'),
    import('../../apimachinery/features/feature-gates.js'),
    import('../../apimachinery/features/effective-version.js')
  ])
  const version = effectiveVersion(options.emulatedVersion, options.minCompatibilityVersion)
  const log = await openLog(options, new FeatureGates(options.featureGates, version))
  const { help: _help, version: _version, ...flags } = flagTexts(acceptedFlags, values)
  const flagLog = log.v?.(1)
  if (flagLog) for (const [name, text] of Object.entries(flags)) flagLog.info(`FLAG: --${name}=${JSON.stringify(text)}`)
  for (const note of notesOnTuning(values)) log.info(note)
  const processes = processesOf(values.workers, options)
  const all = { ...options, flags, processMetrics: true }
  const crew = processes > 1 ? await makeCrew(processes, all, log) : undefined
  const server = crew ? createServerAt({ crew }, { ...shareOf(all, processes), log }) : createServer({ ...all, log })
  return { server, crew, log }
}

/** Makes the other processes of a server with several, which start with the server. All of them get the same options. */
async function makeCrew(processes: number, options: ServerOptions, log: Logger): Promise<Crew> {
  const [{ Crew }, { storeDirectory }] = await Promise.all([
    import('../../server/workers/crew.js'),
    import('../../server/open-store.js')
  ])
  const settings: Omit<WorkerSettings, 'number'> = {
    // the first process keeps history
    options: { ...shareOf(options, processes), history: undefined, historySize: undefined },
    storeDirectory: options.storageBackend === 'lmdb' ? storeDirectory(options.dataDir!) : undefined
  }
  return new Crew({
    workers: processes - 1,
    log,
    spawn: () =>
      fork(process.argv[1]!, ['serve-worker'], {
        serialization: 'advanced',
        stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe']
      }),
    settings: number => ({ ...settings, number })
  })
}

/** Returns where the kubeconfig is written: in the data folder, and at the path that a flag names. */
const kubeconfigPaths = (dataDir: string | undefined, out: string | undefined): string[] => [
  ...(dataDir ? [join(dataDir, 'kubeconfig')] : []),
  ...(out ? [resolve(out)] : [])
]

/** Keeps the data folder out of Git: by default it is in the working directory, and it contains private keys. */
const keepOutOfGit = (dataDir: string): Promise<void> =>
  writeFile(join(dataDir, '.gitignore'), '*\n', { flag: 'wx' }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })

/** Tells the user where the server is and which commands to run next. */
const greeting = (url: string, options: ServerOptions, kubeconfig: string, consoleLine: string): string => {
  const data =
    options.storageBackend === 'memory'
      ? 'in memory, lost when the server ends'
      : options.storageBackend === 'etcd3'
        ? `etcd at ${options.etcdServers?.join(', ')}`
        : options.dataDir
  return `Binnacle serves the Kubernetes API at ${url}
Data: ${data}
${consoleLine}
${options.simulate ? simulates : apiAlone}
  export KUBECONFIG=${shellQuoted(kubeconfig)}
  kubectl get ns
`
}

const simulates = `Simulated: Nodes act as kubelets do, and run nothing.
`
const apiAlone = `No controllers of workloads and no Nodes: Deployments stay at 0 ready, Pods stay Pending. "binnacle simulate" has both.
`

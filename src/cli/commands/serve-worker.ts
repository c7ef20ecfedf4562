import { Socket } from 'node:net'
import { effectiveVersion } from '../../apimachinery/features/effective-version.js'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import { openLog } from '../../apiserver/logging/log.js'
import { createServerAt } from '../../server/server.js'
import { storePipe } from '../../server/workers/crew.js'
import { Primary } from '../../server/workers/primary.js'
import type { WorkerSettings } from '../../server/workers/settings.js'
import { UserError } from '../../util/user-error.js'

/** Runs a process of `binnacle serve --workers` other than the first one. It ends when the first one ends. */
export async function serveWorker(): Promise<void> {
  if (!process.send) throw new UserError('binnacle serve --workers=N starts its workers itself')
  const end = () => process.exit(1)
  process.once('disconnect', end)
  let isStopping = false
  const stop = () => {
    if (!isStopping) started.then(server => server.stop()).then(() => process.exit(0), end)
    isStopping = true
  }
  // Ctrl-C and the end of a terminal reach all processes: the first one tells the others what to do
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('SIGTERM', stop)
  const primary = new Primary(process, { stop, reload: async () => (await started).reload() })
  const started = start(primary, end)
  await started
  await primary.serving()
}

async function start(primary: Primary, end: () => void) {
  const { options, storeDirectory, number }: WorkerSettings = await primary.settings()
  const version = effectiveVersion(options.emulatedVersion, options.minCompatibilityVersion)
  const log = await openLog(options, new FeatureGates(options.featureGates, version), undefined, `worker:${number}`)
  let store: Awaited<ReturnType<typeof openStore>> | undefined
  if (storeDirectory !== undefined) {
    store = await openStore(storeDirectory, why => {
      log.error(`ends: ${why}`)
      end()
    })
    await primary.store()
    // the process has not been told of what was committed in between
    store.catchUp()
  }
  const place = { primary, ...(store && { catchUp: () => void store.catchUp() }) }
  const server = createServerAt(place, { ...options, log, ...(store && { store }) })
  await server.start()
  return server
}

async function openStore(directory: string, ended: (why: string) => void) {
  const { openFollowingStore } = await import('../../storage/lmdb/following-store.js')
  return openFollowingStore({ directory, pipe: new Socket({ fd: storePipe }), ended })
}

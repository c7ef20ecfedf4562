/** `binnacle envtest-program`: what the scripts of `binnacle envtest` run. */
import { join } from 'node:path'
import { errorLine } from '../error-line.js'
import { endWithParent } from '../parent.js'
import { tellTest } from './test-output.js'

/**
 * Runs the program `name` with the flags that envtest gives. It ends with the process `parent`; with 0, it looks for its parent.
 */
export async function runProgram([name = '', parent = '0', ...args]: readonly string[]): Promise<void> {
  const test = Number(parent) || process.ppid
  endWithParent(test, () => process.exit(1))
  const fail = (error: unknown) => tellTest(`${name}: ${errorLine(error) ?? (error as Error)?.stack ?? error}\n`, test)
  process.on('uncaughtExceptionMonitor', fail)
  try {
    if (name === 'etcd') await (await import('./etcd.js')).standInForEtcd(args)
    else await serveTest(args)
  } catch (error) {
    fail(error)
    process.exit(1)
  }
}

/**
 * Serves from memory, without controllers unless they or a simulated cluster are asked for: envtest has none, and some tests count on it. Several processes share
 * a file beside the certificates, which goes with these.
 */
async function serveTest(args: readonly string[]): Promise<void> {
  const { serve } = await import('../commands/serve.js')
  const environment = process.env
  const { BINNACLE_ENVTEST_CONTROLLERS: controllers, BINNACLE_ENVTEST_WORKERS: workers } = environment
  // the last list counts, instead of the sum of both
  const given = controllers
    ? [...args.filter(arg => !arg.startsWith('--controllers=')), `--controllers=${controllers}`]
    : [...args]
  if (workers) given.push(`--workers=${workers}`)
  if (environment.BINNACLE_ENVTEST_SIMULATE) given.push(`--simulate=${environment.BINNACLE_ENVTEST_SIMULATE}`)
  if (environment.BINNACLE_ENVTEST_SNAPSHOT) given.push(`--snapshot=${environment.BINNACLE_ENVTEST_SNAPSHOT}`)
  await serve(given, {
    adjust: (values, names) => ({
      ...values,
      'etcd-servers': [],
      'etcd-servers-overrides': [],
      'storage-backend': values.workers === 1 ? 'memory' : 'lmdb',
      'data-dir': values.workers === 1 ? values['data-dir'] : join(values['cert-dir'] ?? '.', 'binnacle'),
      controllers: names.has('controllers') ? values.controllers : values.simulate ? ['*'] : []
    }),
    isTest: true
  })
}

/** A server for the tests of a file, which each test finds as if it were its own. */
import { type BinnacleServer, createServer, type ServerOptions, type Snapshot } from '../index.js'
import { checkOptions } from '../server/options/check-options.js'
import { checkMembers, oneOf, valueTypes } from '../util/members.js'
import { hasFailed, hooksOf, type TestHooks } from './runner-hooks.js'

export type { TestHooks }

/**
 * Options of `useServer`: those of `createServer`, and these.
 *
 * @example
 * const options: UseServerOptions = { setup: server => server.apply('config/crd'), isolate: 'restore' }
 */
export interface UseServerOptions extends ServerOptions {
  /** Writes what every test finds. It is called once. */
  readonly setup?: ((server: BinnacleServer) => unknown) | undefined
  /**
   * What each test gets: a `fork` of the server as it is after `setup` and the hooks that run once; the same server, set back before
   * each test (`restore`), for clients that keep its address; or the same server as the test before left it (`none`); `fork`.
   */
  readonly isolate?: 'fork' | 'restore' | 'none' | undefined
}

/**
 * Starts a server before the tests of a file or of a `describe`, and stops it after them. What it returns is the server of the test that
 * runs. The server has no port, unless `listen: true` says so, and logs nothing but errors. When a test fails, the requests that it
 * made are printed, unless `recorder: false` says otherwise.
 *
 * It finds the hooks of jest, of vitest with `globals`, of mocha and of node:test; `hooks` gives it others.
 *
 * @example
 * const server = useServer({ setup: server => server.apply('config/crd') })
 *
 * test('a course has a room', async () => {
 *   const course = await server.client().untyped('school.example.com/v1', 'Course').create({ metadata: { name: 'algebra' } })
 *   await until(server.client(), course, { condition: 'Ready' })
 * })
 */
export function useServer(options: UseServerOptions = {}, hooks?: TestHooks): BinnacleServer {
  const { setup, isolate = 'fork', ...serverOptions } = options
  checkMembers({ setup, isolate }, { members: ownOptions }, 'useServer.')
  const given = { listen: false, unref: true, log: quiet, recorder: true, ...serverOptions }
  checkOptions(given)
  const { beforeAll, afterAll, beforeEach, afterEach } = hooksOf(hooks)
  let base: BinnacleServer | undefined
  let current: BinnacleServer | undefined
  let snapshot: Snapshot | undefined
  /** Where the requests of the test begin in the record. */
  let mark: number | undefined

  beforeAll(async () => {
    current = base = createServer(given)
    await base.start()
    await setup?.(base)
  })
  beforeEach(async () => {
    if (isolate !== 'none') {
      if (snapshot && isolate === 'restore') await base!.restore(snapshot)
      snapshot ??= await base!.snapshot()
      if (isolate === 'fork') current = await snapshot.fork()
    }
    mark = current!.recorder?.mark()
  })
  // jest takes a declared parameter for a callback, and waits for it
  afterEach(async (...[context]) => {
    if (hasFailed(context)) printRequests(current, mark)
    if (isolate === 'fork') await current?.stop()
    current = base
  })
  afterAll(async () => {
    await snapshot?.dispose()
    await base?.stop()
    base = current = snapshot = undefined
  })

  return whicheverRuns(() => {
    if (!current) throw new Error('the server of useServer runs in tests and hooks only')
    return current
  })
}

const ownOptions = { setup: valueTypes.function, isolate: oneOf('fork', 'restore', 'none') }

const quiet = { error: (line: string) => console.error(line), warn() {}, info() {} }

function printRequests(server: BinnacleServer | undefined, since: number | undefined): void {
  const text = server?.recorder?.text({ since })
  if (text) console.error(text)
}

/** Returns an object that stands for the present server, whatever members servers have. */
function whicheverRuns(server: () => BinnacleServer): BinnacleServer {
  return new Proxy({} as BinnacleServer, {
    get(_, name) {
      const target = server()
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
    has: (_, name) => name in server()
  })
}

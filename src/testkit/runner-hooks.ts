/** Finds the hooks of test runners, and what they say about a test. */
import { UserError } from '../util/user-error.js'

type Hook = (work: (context?: unknown) => Promise<void>) => unknown

/**
 * The hooks of a test runner, for `useServer`: those of vitest and jest are called beforeAll and afterAll, those of node:test before and
 * after.
 *
 * @example
 * import * as vitest from 'vitest'
 * const server = useServer({}, vitest)
 */
export interface TestHooks {
  readonly beforeAll?: Hook | undefined
  readonly afterAll?: Hook | undefined
  readonly before?: Hook | undefined
  readonly after?: Hook | undefined
  readonly beforeEach: Hook
  readonly afterEach: Hook
}

export interface Hooks {
  readonly beforeAll: Hook
  readonly afterAll: Hook
  readonly beforeEach: Hook
  readonly afterEach: Hook
}

/**
 * Returns the given hooks, the global ones (jest, vitest with `globals`, mocha), or those of node:test. Throws a UserError when
 * there are none.
 */
export function hooksOf(given: TestHooks | undefined): Hooks {
  const { beforeAll, afterAll, before, after, beforeEach, afterEach } = given ?? globalHooks() ?? nodeHooks()
  const [first, last] = [beforeAll ?? before, afterAll ?? after]
  if (!first || !last || !beforeEach || !afterEach)
    throw new UserError('useServer needs the hooks beforeAll (or before), afterAll (or after), beforeEach and afterEach')
  return { beforeAll: first, afterAll: last, beforeEach, afterEach }
}

function globalHooks(): TestHooks | undefined {
  const found = globalThis as Partial<TestHooks>
  return found.beforeEach && found.afterEach ? (found as TestHooks) : undefined
}

function nodeHooks(): TestHooks {
  const { VITEST, JEST_WORKER_ID } = process.env
  const other = VITEST ? ['vitest', 'vitest'] : JEST_WORKER_ID ? ['jest', '@jest/globals'] : undefined
  if (other)
    throw new UserError(
      `the hooks of ${other[0]} are not global: import * as hooks from '${other[1]}', and useServer({ … }, hooks)`
    )
  return process.getBuiltinModule('node:test') as unknown as TestHooks
}

/** Whether the test has failed whose `afterEach` is given this context. Runners say so in different places. */
export function hasFailed(context: unknown): boolean {
  const { passed, error, task } = (context ?? {}) as NodeContext & VitestContext
  // a test that should fail counts as failed when it does not
  if (task) return (task.result?.state === 'fail') !== (task.fails ?? false)
  if (passed !== undefined || error) return error ? true : passed === false
  return (jestState()?.currentlyRunningTest?.errors.length ?? 0) > 0
}

/** node:test */
interface NodeContext {
  readonly passed?: boolean
  readonly error?: unknown
}

interface VitestContext {
  readonly task?: { readonly fails?: boolean; readonly result?: { readonly state?: string } }
}

interface JestState {
  readonly currentlyRunningTest?: { readonly errors: readonly unknown[] } | null
}

/** Returns the state of jest-circus, which keeps it under a symbol: jest tells its hooks nothing. */
function jestState(): JestState | undefined {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  return symbol && (globalThis as unknown as Record<symbol, JestState>)[symbol]
}

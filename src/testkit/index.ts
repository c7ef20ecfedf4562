/** What `binnacle/testing` exports: docs/testing.md. The other files of this folder are for the tests of this package. */
export { type NamedObject, type UntilCondition, type UntilOptions, until } from '../index.js'
export { ControllableClock } from '../util/controllable-clock.js'
export { FakeClock } from './fake-clock.js'
export { type TestHooks, type UseServerOptions, useServer } from './use-server.js'

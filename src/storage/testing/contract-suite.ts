import { describe, type TestContext } from 'node:test'
import type { Store } from '../contract.js'
import { commitContract } from './commit-contract.js'
import { compactionContract } from './compaction-contract.js'
import { concurrencyContract } from './concurrency-contract.js'
import { forgetContract } from './forget-contract.js'
import { imageContract } from './image-contract.js'
import { readContract } from './read-contract.js'
import { versionsContract } from './versions-contract.js'
import { watchContract } from './watch-contract.js'

/** Opens an empty store without automatic compaction, and closes it after the test. */
export type OpenFresh = (t: TestContext) => Promise<Store>

/** Registers the tests that every engine must pass. */
export const runStoreContract = (name: string, openFresh: OpenFresh): void => {
  describe(`${name}: commits`, () => commitContract(openFresh))
  describe(`${name}: reads`, () => readContract(openFresh))
  describe(`${name}: watches`, () => watchContract(openFresh))
  describe(`${name}: compaction`, () => compactionContract(openFresh))
  describe(`${name}: concurrency`, () => concurrencyContract(openFresh))
}

/** Registers the tests that engines that forget some keys sooner must pass. */
export const runForgetContract = (name: string, openFresh: OpenFresh): void => {
  describe(`${name}: forgetting`, () => forgetContract(openFresh))
}

/** Registers the tests that engines that find the states of a key must pass. */
export const runVersionsContract = (name: string, openFresh: OpenFresh): void => {
  describe(`${name}: states of a key`, () => versionsContract(openFresh))
}

/** Registers the tests that engines with images must pass. */
export const runImageContract = (name: string, openFresh: OpenFresh): void => {
  describe(`${name}: images`, () => imageContract(openFresh))
}

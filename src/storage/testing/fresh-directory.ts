import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** Creates an empty directory that is removed after the test, once `before` has run. */
export const freshDirectory = async (t: TestContext, before: () => Promise<void> = async () => {}): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'binnacle-store-'))
  t.after(async () => {
    await before()
    await rm(directory, { recursive: true, force: true })
  })
  return directory
}

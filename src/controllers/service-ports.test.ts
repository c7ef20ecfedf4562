import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../storage/contract.js'
import { silentLogger } from '../util/logger.js'
import { portRepair } from './service-ports.js'

/** Looks at these ports, one look after the other, and says which each of them released. `refused`: the looks whose write came too late. */
async function looks(unused: readonly number[][], refused: readonly number[] = []): Promise<number[][]> {
  const released: number[][] = []
  const network = {
    unusedPorts: () => unused[released.length - 1]!,
    async releasePorts(ports: readonly number[]) {
      released.at(-1)!.push(...ports)
      return !refused.includes(released.length)
    }
  }
  const look = portRepair(network, {} as Store, silentLogger)
  for (const _ of unused) {
    released.push([])
    await look()
  }
  return released
}

describe('the repair of node ports', () => {
  it('releases a port in the third look in a row in which it is nobody’s', async () => {
    assert.deepEqual(await looks([[30001], [30001, 30002], [30001, 30002], [30002]]), [[], [], [30001], [30002]])
  })

  it('counts anew when somebody has had the port in between', async () => {
    assert.deepEqual(await looks([[30001], [30001], [], [30001], [30001], [30001]]), [[], [], [], [], [], [30001]])
  })

  it('tries again in the next look when another write came first', async () => {
    assert.deepEqual(await looks([[30001], [30001], [30001], [30001]], [3]), [[], [], [30001], [30001]])
  })

  it('counts anew after it has released a port', async () => {
    assert.deepEqual(await looks([[30001], [30001], [30001], [30001], [30001], [30001]]), [[], [], [30001], [], [], [30001]])
  })
})

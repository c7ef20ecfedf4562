import type { NodeState } from '../node-state.js'
import { mostScore, type Plugin } from '../plugin.js'
import type { Amounts } from '../resources.js'

const half = mostScore / 2

/** Higher the closer the shares of CPU and memory that are requested of the Node are to each other. */
function balance({ allocatable, requested }: NodeState, more: Amounts | undefined): number {
  const shares: number[] = []
  for (const name of ['cpu', 'memory']) {
    const offered = allocatable.get(name) ?? 0
    if (offered > 0) shares.push(Math.min(1, ((requested.get(name) ?? 0) + (more?.get(name) ?? 0)) / offered))
  }
  const deviation = shares.length === 2 ? Math.abs((shares[0]! - shares[1]!) / 2) : 0
  return Math.trunc((1 - deviation) * mostScore)
}

/** Prefers Nodes whose balance of CPU and memory the Pod improves. */
export const nodeResourcesBalancedAllocation: Plugin = {
  name: 'NodeResourcesBalancedAllocation',
  weight: 1,
  scoring({ requests: { amounts } }) {
    if (!amounts.get('cpu') && !amounts.get('memory')) return undefined
    return { score: node => half + Math.trunc((half + balance(node, amounts) - balance(node, undefined)) / 2) }
  },
  mayHelp: () => false
}

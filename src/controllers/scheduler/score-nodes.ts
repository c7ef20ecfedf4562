/** Chooses among the Nodes on which a Pod fits. */
import type { Randomness } from '../../util/randomness.js'
import type { Cluster } from './cluster.js'
import type { Checks } from './find-nodes.js'
import type { NodeState } from './node-state.js'
import type { Plugin } from './plugin.js'
import type { PodInfo } from './pod-info.js'

/** The scores of the Nodes, in their order: the sum over all plugins, by their weights. */
export function scoresOf(
  plugins: readonly Plugin[],
  { all }: Checks,
  pod: PodInfo,
  cluster: Cluster,
  nodes: readonly NodeState[]
): number[] {
  const totals = nodes.map(() => 0)
  const add = (scoring: ReturnType<NonNullable<Plugin['scoring']>>, weight: number) => {
    if (!scoring) return
    const scores = nodes.map(node => scoring.score(node))
    scoring.normalize?.(scores, nodes)
    for (const [i, score] of scores.entries()) totals[i]! += score * weight
  }
  for (const plugin of plugins) add(plugin.scoring?.(pod, cluster, nodes), plugin.weight ?? 1)
  for (const { plugin, check } of all) add(check.score?.(), plugin.weight ?? 1)
  return totals
}

/** One of the Nodes with the highest score, by chance. */
export function bestOf(nodes: readonly NodeState[], scores: readonly number[], randomness: Randomness): NodeState {
  const highest = Math.max(...scores)
  const best = nodes.filter((_, i) => scores[i] === highest)
  return best.length === 1 ? best[0]! : best[Math.floor(randomness.fraction() * best.length)]!
}

/**
 * Deals each flow a hand of queues (https://kubernetes.io/docs/concepts/cluster-administration/flow-control/#queuing): two flows
 * hardly ever share all of theirs, so a flow that fills its queues leaves others some. All servers deal a flow the same hand.
 */
import { createHash } from 'node:crypto'

/** The entropy that a flow's hand is dealt from. */
export function flowHash(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${schema}\0${distinguisher}`).digest().readBigUInt64LE()
}

/** Deals `handSize` different numbers below `deckSize`. */
export function deal(hash: bigint, deckSize: number, handSize: number): number[] {
  const hand: number[] = []
  /** The cards that are gone, in ascending order. */
  const gone: number[] = []
  let entropy = hash
  for (let left = deckSize; left > deckSize - handSize; left--) {
    let card = Number(entropy % BigInt(left))
    entropy /= BigInt(left)
    // the draw is among the cards that are left
    let place = 0
    while (place < gone.length && gone[place]! <= card + place) place++
    card += place
    gone.splice(place, 0, card)
    hand.push(card)
  }
  return hand
}

/** Waits until the devices of claims are ready for a Pod. */
import type { ResourceClaim } from '../../../apimachinery/api/generated/resource-v1.js'
import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import type { Informer } from '../../../client/types.js'
import type { Clock, Timer } from '../../../util/clock.js'
import { bindingDeadline, bindingTimedOut, bindingTimeoutMs, isReadyForBinding } from './binding-conditions.js'

type Claim = ResourceClaim & KubeObject

interface Waiting {
  readonly claims: Informer<Claim>
  readonly clock: Clock
  /** Ends the wait: the Pod is being deleted, or the scheduler stops. */
  readonly signal: AbortSignal
}

/** Rejects when a device never will be ready, has not become so in time, or when its claim has gone. */
export function untilReady(wanted: readonly ResourceClaim[], { claims, clock, signal }: Waiting): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer: Timer | undefined
    // of a claim that does not tell when it was allocated
    const latest = clock.now() + bindingTimeoutMs
    const uids = new Set(wanted.map(({ metadata }) => metadata.uid))
    const end = (error?: Error) => {
      timer?.cancel()
      for (const off of offs) off()
      signal.removeEventListener('abort', aborted)
      if (error) reject(error)
      else resolve()
    }
    const look = () => {
      timer?.cancel()
      timer = undefined
      try {
        const waitsFor = wanted.map(claim => present(claims, claim)).find(claim => !isReadyForBinding(claim))
        if (!waitsFor) return end()
        const left = (bindingDeadline(waitsFor) ?? latest) - clock.now()
        if (left < 0) return end(bindingTimedOut(waitsFor))
        timer = clock.setTimeout(look, left + 1)
      } catch (error) {
        end(error as Error)
      }
    }
    const aborted = () => end(new Error('context canceled'))
    const changed = ({ metadata }: Claim) => {
      if (uids.has(metadata.uid)) look()
    }
    const offs = [claims.on('update', changed), claims.on('delete', changed)]
    signal.addEventListener('abort', aborted)
    if (signal.aborted) aborted()
    else look()
  })
}

function present(claims: Informer<Claim>, { metadata: { namespace, name, uid } }: ResourceClaim): Claim {
  const found = claims.get({ metadata: { namespace: namespace!, name: name! } })
  if (found?.metadata.uid === uid) return found!
  throw new Error(`could not find ResourceClaim "${namespace}/${name}"`)
}

import { signal } from '@preact/signals'
import { ask } from './request.js'

/** What a server has beside Kubernetes' API, as far as this user may use it. */
export interface Features {
  readonly explain: boolean
  readonly history: boolean
  readonly testing: boolean
}

export const features = signal<Features>({ explain: false, history: false, testing: false })

const answers = (path: string): Promise<boolean> =>
  ask(path).then(
    response => response.body?.cancel().then(() => true) ?? true,
    () => false
  )

/** Finds out by asking for the documents of these paths: they need the same permission as the paths themselves. */
export async function findFeatures(): Promise<void> {
  const [explain, history, testing] = await Promise.all(
    ['/binnacle/v1/explain', '/binnacle/v1/history', '/testing/v1'].map(path => answers(`${path}/openapi.json`))
  )
  features.value = { explain: explain ?? false, history: history ?? false, testing: testing ?? false }
}

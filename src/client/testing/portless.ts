import type { TestContext } from 'node:test'
import { type BinnacleServer, createServer, type ServerOptions } from '../../index.js'
import { silentLogger } from '../../util/logger.js'

/** Starts a server without a port that ends with the test. */
export async function portless(t: TestContext, options: ServerOptions = {}): Promise<BinnacleServer> {
  const server = createServer({ listen: false, log: silentLogger, ...options })
  t.after(() => server.stop())
  await server.start()
  return server
}

/** A definition of Widgets, as `apply` takes it. */
export const widgets = (plural = 'widgets') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } }
      }
    ]
  }
})

// A simulated cluster whose containers do what those of Kubernetes' e2e specs do (docs/simulate.md).
//
//   node test/e2e/server.mjs FOLDER   writes FOLDER/kubeconfig, and serves until it is interrupted
import { createServer } from '../../build/index.js'
import { declared } from './declared.mjs'

const [dataDir] = process.argv.slice(2)
if (!dataDir) throw new Error('name a folder for the kubeconfig')
const server = createServer({ securePort: 0, storageBackend: 'memory', dataDir, simulate: { behavior: declared() } })
await server.start()
console.log(`KUBECONFIG=${dataDir}/kubeconfig`)
process.once('SIGINT', () => server.stop())
process.once('SIGTERM', () => server.stop())

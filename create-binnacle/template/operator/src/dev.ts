// The operator with a simulated cluster in this process: npm run dev
import { writeFileSync } from 'node:fs'
import { createServer } from 'binnacle'
import { runOperator } from 'binnacle/operator'
import { operator } from './operator.js'

const server = createServer({ simulate: true })
await server.start()
writeFileSync('dist/kubeconfig', server.kubeconfig(), { mode: 0o600 })
const running = runOperator(operator, { client: server.client(), install: true, leaderElection: false })
await running.ready
console.log('The operator runs:\n  export KUBECONFIG=dist/kubeconfig\n  kubectl apply -f samples/site.yaml')

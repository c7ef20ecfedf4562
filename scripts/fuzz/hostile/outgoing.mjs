// Sends hostile bytes over the connections to other servers and into files, and reads what comes out strictly. Build first.
//   npm run hostile -- outgoing [SORT…] [--from=1] [--seeds=20000]
import { manifestProblem } from '../../../build/admission/manifests/testing/hostile-manifests.js'
import { HostileAudit } from '../../../build/apiserver/audit/testing/hostile-audit.js'
import { webSocketProblem } from '../../../build/apiserver/http/testing/hostile-websocket.js'
import { logProblem } from '../../../build/apiserver/logging/testing/hostile-log.js'
import { backEnds, HostileProxy } from '../../../build/apiserver/nodes/testing/hostile-proxy.js'
import { subjectProblem } from '../../../build/auth/authentication/testing/hostile-subject.js'
import { HostilePlugin } from '../../../build/storage/encryption/testing/hostile-plugin.js'
import { HostileEtcd } from '../../../build/storage/etcd/testing/hostile-etcd.js'
import { HostileWebhooks, webhookKinds } from '../../../build/testkit/e2e/hostile-webhooks.js'
import { egressKinds, HostileEgress } from '../../../build/transport/egress/testing/hostile-egress.js'
import { spdyProblem } from '../../../build/transport/spdy/testing/hostile-spdy-run.js'
import { parseOptions } from '../../shared/options.mjs'

const { values, positionals } = parseOptions({
  allowPositionals: true,
  options: { from: { type: 'number', default: 1 }, seeds: { type: 'number', default: 20_000 } }
})
const pure = problem => async () => ({ problem, close() {} })
const sorts = {
  spdy: pure(spdyProblem),
  websocket: pure(webSocketProblem),
  log: pure(logProblem),
  subject: pure(subjectProblem),
  manifests: pure(manifestProblem),
  'audit-json': () => HostileAudit.start('json'),
  'audit-legacy': () => HostileAudit.start('legacy'),
  ...Object.fromEntries(backEnds.map(backEnd => [`proxy-${backEnd}`, () => HostileProxy.start(backEnd)])),
  ...Object.fromEntries(
    webhookKinds.map(kind => [
      `webhook-${kind}`,
      async () => {
        const hostile = await HostileWebhooks.start()
        return { problem: seed => hostile.problem(kind, seed), close: () => hostile.close() }
      }
    ])
  ),
  ...Object.fromEntries(egressKinds.map(kind => [`egress-${kind}`, () => HostileEgress.start(kind)])),
  etcd: () => HostileEtcd.start(),
  kms: () => HostilePlugin.start()
}
const wanted = positionals.filter(name => name !== 'outgoing')
const { from } = values
const end = from + values.seeds
let count = 0
for (const [name, start] of Object.entries(sorts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const sort = await start()
  const problems = []
  let seed = from
  for (; seed < end && problems.length < 5; seed++) {
    const problem = await sort.problem(seed)
    if (problem) problems.push(problem)
  }
  await sort.close()
  for (const problem of problems) console.log(problem)
  console.log(`${name}: ${seed - from} seeds, ${problems.length} problems`)
  count += problems.length
}
process.exit(count > 0 ? 1 : 0)

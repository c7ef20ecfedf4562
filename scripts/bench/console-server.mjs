// The server of console.mjs: as many Pods as the argument says, which change when the parent says so.
import { createServer } from '../../dist/index.js'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const pods = Number(process.argv[2])
const server = createServer({ securePort: 0, console: 'loopback', log: silent })
await server.start()
const client = server.client().of('v1', 'Pod')
const name = i => `pod-${String(i).padStart(6, '0')}`
for (let i = 0; i < pods; i += 200)
  await Promise.all(
    Array.from({ length: Math.min(200, pods - i) }, (_, k) =>
      client.create({
        metadata: { name: name(i + k), labels: { app: `app-${(i + k) % 50}` } },
        spec: { nodeName: `node-${(i + k) % 100}`, containers: [{ name: 'c', image: 'nginx' }] }
      })
    )
  )
process.send({ link: await server.consoleLink() })

let written = 0
process.on('message', ({ changes, end }) => {
  if (end) process.send({ written })
  if (!changes) return
  const status = client.subresource('status')
  let due = performance.now()
  let i = 0
  setInterval(() => {
    for (const now = performance.now(); due < now; due += 1000 / changes) {
      const pod = name((i * 7919) % pods)
      const phase = i++ % 3 ? 'Running' : 'Pending'
      status.patch(pod, { status: { phase, message: String(i) } }).then(
        () => written++,
        () => {}
      )
    }
  }, 10)
})

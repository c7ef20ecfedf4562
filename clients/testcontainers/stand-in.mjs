// Runs a command with a stand-in for Docker, for tests on machines that have none. It has one image, whose containers are processes that the
// entry point of deploy/Dockerfile starts, each with a folder as its /data. It speaks as much of Docker's API as Testcontainers asks for.
//   node stand-in.mjs COMMAND [ARGUMENT...]
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { create } from 'tar'

const root = fileURLToPath(new URL('../..', import.meta.url))
const dockerfile = readFileSync(path.join(root, 'deploy/Dockerfile'), 'utf8')
const entryPoint = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)[1])
const exposed = `${/^EXPOSE (\d+)$/m.exec(dockerfile)[1]}/tcp`
const image = {
  Id: `sha256:${'0'.repeat(64)}`,
  RepoTags: ['binnacle:latest'],
  Os: 'linux',
  Architecture: 'amd64',
  Config: { ExposedPorts: { [exposed]: {} }, Entrypoint: entryPoint }
}
const containers = new Map()

class Container {
  id = randomBytes(32).toString('hex')
  data = mkdtempSync(path.join(tmpdir(), 'binnacle-container-'))
  log = ''

  constructor(config) {
    this.config = config
  }

  async start() {
    const here = { '--data-dir=/data': `--data-dir=${this.data}`, '--bind-address=0.0.0.0': '--bind-address=127.0.0.1' }
    const [, ...args] = entryPoint.map(word => here[word] ?? word)
    this.process = spawn(process.execPath, [...args, '--secure-port=0', ...(this.config.Cmd ?? [])], { cwd: root })
    this.process.stderr.on('data', text => (this.log += text))
    for await (const line of createInterface({ input: this.process.stdout })) {
      this.log += `${line}\n`
      const [, port] = /at https:\/\/\S+:(\d+)$/.exec(line) ?? []
      if (port) return this.listens(port)
    }
    throw new Error(`the server did not start\n${this.log}`)
  }

  /** A server in a container knows the port of the container alone. */
  listens(port) {
    this.port = port
    const kubeconfig = path.join(this.data, 'kubeconfig')
    writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replaceAll(`:${port}`, `:${Number.parseInt(exposed, 10)}`))
  }

  async remove() {
    containers.delete(this.id)
    if (this.process?.exitCode === null && this.process.signalCode === null) {
      const ended = once(this.process, 'exit')
      this.process.kill()
      await ended
    }
    rmSync(this.data, { recursive: true, force: true })
  }

  /** What `docker inspect` shows. */
  get shown() {
    const isRunning = this.process !== undefined && this.process.exitCode === null
    return {
      Id: this.id,
      Name: `/${this.id}`,
      Image: image.Id,
      Created: '2026-01-01T00:00:00Z',
      Config: this.config,
      HostConfig: { NetworkMode: 'bridge', ...this.config.HostConfig },
      State: { Status: isRunning ? 'running' : 'exited', Running: isRunning, ExitCode: 0, StartedAt: '2026-01-01T00:00:00Z' },
      NetworkSettings: { Networks: {}, Ports: { [exposed]: [{ HostIp: '127.0.0.1', HostPort: this.port }] } }
    }
  }
}

function found([id]) {
  const container = containers.get(id)
  if (!container) throw new Error(`the stand-in for Docker has no container ${id}`)
  return container
}

function imageOf([name]) {
  if (name !== image.Id && !image.RepoTags.includes(name)) throw new Error(`the stand-in for Docker has no image ${name}`)
  return image
}

/** Answers by method and path, without the version that comes first. */
const answers = [
  ['GET', /^\/_ping$/, () => 'OK'],
  ['GET', /^\/version$/, () => ({ Version: '28.0.0', ApiVersion: '1.48', MinAPIVersion: '1.24', Os: 'linux', Arch: 'amd64' })],
  [
    'GET',
    /^\/info$/,
    () => ({ ServerVersion: '28.0.0', OperatingSystem: 'stand-in', OSType: 'linux', MemTotal: 2 ** 32, Driver: 'none' })
  ],
  ['GET', /^\/images\/json$/, () => [image]],
  ['GET', /^\/images\/(.+)\/json$/, imageOf],
  [
    'POST',
    /^\/containers\/create$/,
    (_, { body }) => {
      const container = new Container(body)
      containers.set(container.id, container)
      return { Id: container.id, Warnings: [] }
    }
  ],
  ['POST', /^\/containers\/(\w+)\/start$/, path => found(path).start()],
  ['GET', /^\/containers\/json$/, () => [...containers.keys()].map(Id => ({ Id }))],
  ['GET', /^\/containers\/(\w+)\/json$/, path => found(path).shown],
  ['GET', /^\/containers\/(\w+)\/logs$/, path => framed(found(path).log)],
  [
    'GET',
    /^\/containers\/(\w+)\/archive$/,
    (at, { query }) => {
      const name = path.posix.relative('/data', query.get('path'))
      return buffer(create({ cwd: found(at).data }, [name]))
    }
  ],
  ['POST', /^\/containers\/(\w+)\/(?:kill|stop)$/, () => undefined],
  ['POST', /^\/(?:containers|images|networks|volumes)\/prune$/, () => ({})],
  ['DELETE', /^\/containers\/(\w+)$/, path => found(path).remove()]
]

/** A log as Docker sends it: a header before each piece. */
function framed(text) {
  const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0])
  header.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([header, Buffer.from(text)])
}

async function answer(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://docker')
  const asked = pathname.replace(/^\/v\d+\.\d+(?=\/)/, '')
  const text = String(await buffer(request))
  for (const [method, form, make] of answers) {
    const match = request.method === method && form.exec(asked)
    if (match) return make(match.slice(1).map(decodeURIComponent), { query: searchParams, body: text && JSON.parse(text) })
  }
  throw new Error(`the stand-in for Docker does not know ${request.method} ${asked}`)
}

const server = createServer(async (request, response) => {
  try {
    const content = await answer(request)
    if (content === undefined) return response.writeHead(204).end()
    if (Buffer.isBuffer(content)) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content)
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(typeof content === 'string' ? content : JSON.stringify(content))
  } catch (error) {
    console.error(error.message)
    response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message: error.message }))
  }
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, {
  stdio: 'inherit',
  env: {
    ...process.env,
    DOCKER_HOST: `tcp://127.0.0.1:${server.address().port}`,
    // the container that removes others
    TESTCONTAINERS_RYUK_DISABLED: 'true',
    TESTCONTAINERS_CHECKS_DISABLE: 'true'
  }
})
const [code] = await once(child, 'exit')
const left = containers.size
await Promise.all([...containers.values()].map(container => container.remove()))
if (left > 0) console.error(`${left} containers were left behind`)
server.close()
process.exitCode = left > 0 ? 1 : (code ?? 1)

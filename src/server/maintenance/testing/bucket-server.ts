/** A service that speaks as much of S3 as backups need, on loopback: objects, lists in pages of two, uploads in parts. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

interface Stored {
  readonly body: Buffer
  readonly time: Date
}

export interface BucketServer {
  readonly objects: Map<string, Stored>
  /** Method, path and query of each request. */
  readonly requests: string[]
  /** Requests that it answers with 403 from now on. */
  refused: (request: string) => boolean
}

const pageSize = 2

/** Starts it, with the environment that leads AWS's client there, for one test. */
export async function startBucketServer(t: TestContext): Promise<BucketServer> {
  const served: BucketServer = { objects: new Map(), requests: [], refused: () => false }
  const uploads = new Map<string, Map<number, Buffer>>()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { pathname, searchParams: query } = new URL(request.url!, 'http://bucket')
    const line = `${request.method} ${pathname}${query.has('partNumber') ? ' part' : ''}`
    served.requests.push(line)
    const answer = (status: number, text: string | Buffer = '', headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'application/xml', ...headers }).end(text)
    }
    const failed = (status: number, code: string) =>
      answer(status, `<Error><Code>${code}</Code><Message>${code} here</Message></Error>`)
    const isSigned = request.headers.authorization?.includes('Credential=key-of-test/') ?? false
    if (!isSigned || served.refused(line)) return failed(403, 'AccessDenied')
    const [, bucket, ...rest] = pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    if (bucket !== 'backups') return failed(404, 'NoSuchBucket')
    const upload = query.get('uploadId')
    if (request.method === 'GET' && query.has('list-type')) return answer(200, listOf(served.objects, query))
    if (request.method === 'POST' && query.has('uploads')) {
      const id = `upload-${uploads.size}`
      uploads.set(id, new Map())
      return answer(200, `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (request.method === 'PUT' && upload) {
      uploads.get(upload)!.set(Number(query.get('partNumber')), body)
      return answer(200, '', { etag: '"part"' })
    }
    if (request.method === 'POST' && upload) {
      const parts = [...uploads.get(upload)!].sort(([a], [b]) => a - b).map(([, part]) => part)
      served.objects.set(key, { body: Buffer.concat(parts), time: new Date() })
      return answer(200, '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>')
    }
    if (request.method === 'PUT') {
      served.objects.set(key, { body, time: new Date() })
      return answer(200, '', { etag: '"whole"' })
    }
    if (request.method === 'DELETE') {
      served.objects.delete(key)
      return answer(204)
    }
    const found = served.objects.get(key)
    return found ? answer(200, found.body, { 'content-type': 'application/octet-stream' }) : failed(404, 'NoSuchKey')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const environment = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'key-of-test',
    AWS_SECRET_ACCESS_KEY: 'secret-of-test',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null'
  }
  const before = Object.keys(environment).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  t.after(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    server.close()
    server.closeAllConnections()
  })
  return served
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function listOf(objects: ReadonlyMap<string, Stored>, query: URLSearchParams): string {
  const keys = [...objects.keys()].filter(key => key.startsWith(query.get('prefix') ?? '')).sort()
  const from = Number(query.get('continuation-token') ?? 0)
  const shown = keys.slice(from, from + pageSize)
  const contents = shown.map(
    key => `<Contents><Key>${key}</Key><LastModified>${objects.get(key)!.time.toISOString()}</LastModified></Contents>`
  )
  const next = from + pageSize < keys.length ? `<NextContinuationToken>${from + pageSize}</NextContinuationToken>` : ''
  return `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>`
}

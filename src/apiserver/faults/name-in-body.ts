/** Finds the name of a new object in the body of its create, because the URL lacks it and rules and errors name objects. */
import { parseYaml } from '../../apimachinery/formats/yaml-body.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { isObject } from '../../util/json.js'
import { Reader, wireBytes } from '../../util/protobuf/reader.js'

/** The most bytes that a body of kube-apiserver may have. */
const maxBodyBytes = 3 * 1024 * 1024
const protobufMagic = Buffer.from('k8s\0')

/** Reads the body, which others can read nevertheless. Returns "" for a body without a name, or one that cannot be read. */
export async function nameInBody(context: RequestContext): Promise<string> {
  const { request } = context
  const body = await request.readBody(maxBodyBytes)
  // a body can be read from its connection only once; later readers have the same limit
  request.readBody = () => Promise.resolve(body)
  try {
    if (body.subarray(0, protobufMagic.length).equals(protobufMagic)) return nameInProtobuf(body.subarray(protobufMagic.length))
    const object: unknown = body[0] === 0x7b ? JSON.parse(body.toString()) : parseYaml(body.toString()).value
    const metadata = isObject(object) && isObject(object.metadata) ? object.metadata : {}
    return typeof metadata.name === 'string' ? metadata.name : ''
  } catch {
    return ''
  }
}

/**
 * Finds the name in Protobuf: runtime.Unknown has the object as its second field, every kind has its metadata as the first, and
 * metadata has the name as the first.
 */
const nameInProtobuf = (unknown: Buffer): string => (field(field(field(unknown, 2), 1), 1) ?? '').toString()

function field(message: Buffer | undefined, wanted: number): Buffer | undefined {
  if (!message) return undefined
  const reader = new Reader(message)
  while (!reader.done) {
    if (reader.tag('Unknown') === wanted && reader.wire === wireBytes) return reader.bytes()
    reader.skip()
  }
  return undefined
}

/** The object of an answer as an event shows it: as JSON in one line, whatever the client was sent. */

import { readCbor } from '../../apimachinery/formats/cbor/read.js'
import { parseYaml } from '../../apimachinery/formats/yaml-body.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { BodyPieces, Response } from '../../apimachinery/request/message.js'
import { AuditLevel } from '../../apimachinery/request/record.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { compactJson } from '../../util/compact-json.js'
import { exactJson, parseExact } from '../../util/exact-json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { nextTurn, startSlice } from '../../util/turns.js'

/** Keeps the object of each answer for which the policy asks, before the answer is compressed. */
export const answersStage: Stage = {
  name: 'audited answers',
  why: 'keeps the objects of answers for audit events',
  handle(context, next) {
    const response = next(context)
    if (context.record.auditLevel < AuditLevel.RequestResponse) return response
    return response instanceof Promise ? response.then(late => keepBody(context, late)) : keepBody(context, response)
  }
}

/**
 * Keeps the JSON of an answer whose object is not at hand. A body in pieces is made as a whole, because the event needs all of
 * it.
 */
async function keepBody(context: RequestContext, response: Response): Promise<Response> {
  const { body, headers, object, json } = response
  if (object !== undefined || !body || !context.info.isResourceRequest) return response
  const type = String(headers['content-type'] ?? '')
  if (!json && type !== 'application/json' && type !== 'application/yaml' && type !== 'application/cbor') return response
  const bytes = await gathered(json ?? body)
  context.record.responseJson = json ? bytes.toString() : jsonOf(bytes, type)
  return json ? response : { ...response, body: bytes }
}

function jsonOf(bytes: Buffer, type: string): string {
  if (type === 'application/cbor') return exactJson(readCbor(bytes, false))
  const text = bytes.toString()
  return type === 'application/yaml' ? exactJson(parseYaml(text).value) : text
}

async function gathered(body: Buffer | BodyPieces): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body
  const parts: Buffer[] = []
  let sliceIsOver = startSlice()
  for (let piece = await body.next(); piece; piece = await body.next()) {
    parts.push(Buffer.from(piece.bytes))
    piece.done()
    if (!sliceIsOver()) continue
    await nextTurn()
    sliceIsOver = startSlice()
  }
  return Buffer.concat(parts)
}

/** Returns the object of an answer as JSON; undefined when the answer is no object. */
export function responseJson({ record, info }: RequestContext, { object, sorted }: Response): string | undefined {
  const { omitsManagedFields: omit, responseJson: kept } = record
  if (object !== undefined) {
    const shown = omit ? withoutManagedFields(object) : object
    return sorted ? sortedJson(shown) : exactJson(shown)
  }
  if (kept === undefined) return undefined
  if (omit && kept.includes('"managedFields"') && info.isResourceRequest) return exactJson(withoutManagedFields(parseExact(kept)))
  return compactJson(kept)
}

/** Removes the managed fields of an object, of the items of a list, and of the objects in the rows of a Table. */
function withoutManagedFields(object: any): any {
  const bare = (one: any) => {
    if (one?.metadata?.managedFields === undefined) return one
    const { managedFields: _, ...metadata } = one.metadata
    return { ...one, metadata }
  }
  if (Array.isArray(object?.items)) return { ...object, items: object.items.map(bare) }
  if (object?.kind === 'Table' && Array.isArray(object.rows))
    return { ...object, rows: object.rows.map((row: any) => (row.object ? { ...row, object: bare(row.object) } : row)) }
  return bare(object)
}

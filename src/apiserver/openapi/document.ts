/** One OpenAPI document as it is sent. */
import { createHash } from 'node:crypto'

export interface Document {
  readonly body: Buffer
  /** Upper-case hex of the content's SHA-512. */
  readonly hash: string
  /** When the document was made, in milliseconds since 1970. */
  readonly modified: number
}

export const documentOf = (body: Buffer, modified: number): Document => ({
  body,
  hash: createHash('sha512').update(body).digest('hex').toUpperCase(),
  modified
})

/** Returns the address under which an OpenAPI v3 document of this server is in the index. `name` is its path, such as "apis/apps/v1". */
export const addressOf = (name: string, { hash }: Document): string => `/openapi/v3/${name}?hash=${hash}`

import type { Response } from '../../apimachinery/request/message.js'
import { respondText } from '../endpoints/respond.js'

/** The refusal of a request that is too much. `seconds`: after which the client may try again. */
export function tooMany(seconds: number): Response {
  const response = respondText('Too many requests, please try again later.\n', 429)
  response.headers['retry-after'] = String(seconds)
  return response
}

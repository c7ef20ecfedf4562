/** Discovers where an issuer's keys are (https://openid.net/specs/openid-connect-discovery-1_0.html). */
import { goQuote } from '../../../util/go-format.js'
import { isObject } from '../../../util/json.js'
import { goField, goText } from './go-json.js'
import { type Answer, excerpt, type IssuerClient } from './issuer-client.js'

/** Returns the URL of the issuer's keys. Rejects with an Error that has kube-apiserver's message. */
export async function discoverKeysUrl(client: IssuerClient, issuer: string, discoveryURL = ''): Promise<string> {
  const url = discoveryURL === '' ? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration` : discoveryURL
  const answer = await client.get(url)
  if (answer.status !== 200) throw new Error(`${answer.statusLine}: ${excerpt(answer.text)}`)
  const { named, keysUrl } = readDocument(answer)
  if (named !== issuer)
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(issuer)} got ${goQuote(named)}`
    )
  if (keysUrl === '') throw new Error('provider did not return JWKS URL')
  return keysUrl
}

function readDocument({ text, headers }: Answer): { named: string; keysUrl: string } {
  try {
    const document: unknown = parseDocument(text)
    const field = (name: string) =>
      isObject(document) ? goText(goField(document, name), `Go struct field providerJSON.${name}`) : ''
    return { named: field('issuer'), keysUrl: field('jwks_uri') }
  } catch (error) {
    throw new Error(`oidc: failed to decode provider discovery object: ${unmarshalProblem(error, headers)}`)
  }
}

/** The most values of a document, which is parsed at once. */
const maxValues = 50_000

/** Parses a document of an issuer. Commas and brackets are counted first, those in texts too. Throws for one that is no JSON, or has too many values. */
export function parseDocument(text: string): unknown {
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code === comma || code === bracket || code === brace) && ++values > maxValues)
      throw new Error(`more than ${maxValues} values`)
  }
  return JSON.parse(text)
}
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

/** Explains, in Go's words, that a text is not the expected JSON. */
export function unmarshalProblem(error: unknown, headers: Answer['headers']): string {
  const type = [headers['content-type']].flat()[0] ?? ''
  const { message } = error as Error
  return type.split(';')[0]!.trim().toLowerCase() === 'application/json'
    ? `got Content-Type = application/json, but could not unmarshal as JSON: ${message}`
    : `expected Content-Type = application/json, got ${goQuote(type)}: ${message}`
}

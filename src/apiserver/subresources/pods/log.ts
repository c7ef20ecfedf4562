import type { IncomingMessage } from 'node:http'
import { isTrue } from '../../../apimachinery/request/request-info.js'
import { badRequest, internalError, plainError, unexpectedAnswer } from '../../../apimachinery/status/status.js'
import { exchange } from '../../../transport/proxy/exchange.js'
import { streamBody } from '../../../transport/proxy/stream-body.js'
import { escapedPath, hostAndPort } from '../../../util/url-parts.js'
import { kubeletOf } from '../../nodes/kubelets.js'
import { goQuery } from '../../nodes/paths.js'
import type { Implementation } from '../implementation.js'
import { chosenContainer, findPod } from './container.js'
import { logOptions } from './log-options.js'

/** The most bytes of an error from the kubelet. */
const maxErrorBytes = 50_000

export const podLog: Implementation = {
  async connect(request, context) {
    const { name } = request
    const { signal } = context
    const { services } = request.operation
    const { connections } = services
    const skipsVerification = isTrue(context.query.get('insecureSkipTLSVerifyBackend'))
    connections.counts.log(skipsVerification)
    const parameters = logOptions(context.query, name, services.features)
    const pod = findPod(request, name)
    const container = chosenContainer(pod, context.query)
    const { nodeName } = pod.spec
    if (!nodeName) return { status: 204, headers: {} }
    const target = kubeletOf(services, nodeName, 'pods')
    const dial = skipsVerification ? connections.unverifiedKubelets : connections.kubelets
    const authority = hostAndPort(target.host, target.port)
    const path = escapedPath(`/containerLogs/${request.namespace}/${name}/${container}`)
    const query = goQuery(parameters)
    const failed = (why: string) => plainError(`Get ${JSON.stringify(`https://${authority}${path}${query}`)}: ${why}`)
    let head: IncomingMessage
    try {
      const headers = ['Host', authority, 'User-Agent', 'Go-http-client/1.1']
      head = (await exchange({ dial, target, path, query }, { method: 'GET', headers }, signal)).head
    } catch (error) {
      context.throwIfAborted()
      if ((error as Error).message.includes('x509:')) connections.counts.untrustedLog()
      throw failed((error as Error).message)
    }
    const { statusCode: status = 0 } = head
    if (status >= 300 && status < 400 && head.headers.location !== undefined) {
      head.destroy()
      throw failed('redirects forbidden')
    }
    if (status < 200 || status > 206) throw await refusal(head, name)
    return { status: 200, headers: { 'content-type': 'text/plain' }, stream: sink => streamBody(head, sink) }
  }
}

/** Makes the error for an answer that is no log: the container may not have started. */
async function refusal(answer: IncomingMessage, name: string): Promise<Error> {
  let text = ''
  try {
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk
      if (text.length >= maxErrorBytes) break
    }
  } catch (error) {
    return internalError((error as Error).message)
  }
  if (answer.statusCode === 500) return internalError(text)
  if (answer.statusCode === 400) return badRequest(text)
  return unexpectedAnswer(answer.statusCode!, { group: '', resource: 'pods/log' }, name, text)
}
